import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { saveTaskFields } from '@saga-ai/core/plan/stories';
import { parseJournal } from '@saga-ai/types/plan/journal';
import { expect, test } from 'vitest';
import { bundlePrograms } from '../../rig/programs/bundle-programs.ts';
import { KILLS, killProgram, type Moment, spinUntil } from '../../rig/programs/kill-program.ts';
import { createTempProject, type TempProject } from '../../rig/project/temp-project.ts';
import { SEED } from '../../rig/random/seed.ts';
import { createRandom } from '../../rig/random/seeded-random.ts';

/** Stories that are written and killed at the same time. */
const LANES = 4;
const PROGRAMS = new URL('../programs/', import.meta.url);

test(`${KILLS} writers of tasks are killed at random moments (SAGA_SEED=${SEED})`, async () => {
  await using programs = await bundlePrograms(PROGRAMS, ['count-up']);
  await using project = await createTempProject();
  const random = createRandom(SEED);
  const faults: string[] = [];
  let killedWhileWriting = 0;

  const killAgainAndAgain = async (storyId: string) => {
    project.writeStory(storyId, {}, [{ 'x-counter': 0 }, { 'x-counter': 0 }]);
    const args = [project.root, storyId, 'task-1'];
    const most = KILLS / LANES;
    // Where a kill lands is up to the machine: it goes on until one has hit a write.
    for (let kill = 0; kill < most || (kill < 10 * most && killedWhileWriting === 0); kill++) {
      const fault = (text: string) =>
        faults.push(`SAGA_SEED=${SEED}, ${storyId}, kill ${kill}: ${text}`);
      const moment = afterFirstLine(random() * 30);
      const printed = await killProgram(programs['count-up'], args, moment);
      if (listTemps(project, storyId).length > 0) killedWhileWriting++;
      for (const name of findTornFiles(project, storyId)) fault(`${name} is torn`);

      const saved = Number(printed.at(-1));
      const { 'x-counter': counter } = project.json(`stories/${storyId}/task-1.json`);
      const isKept = counter === saved || counter === saved + 1;
      if (!isKept) fault(`${saved} was acknowledged, but the file has ${counter}`);

      // A lock that were not taken over would be waited for, and then be an error.
      await saveTaskFields(project.paths, storyId, 'task-2', { 'x-counter': kill });
      for (const name of listTemps(project, storyId)) fault(`${name} is left after a write`);
    }
  };
  const stories = Array.from({ length: LANES }, (_, lane) => `story-${lane}`);
  await Promise.all(stories.map(killAgainAndAgain));

  expect(faults).toEqual([]);
  expect(killedWhileWriting, `kills that hit a write, SAGA_SEED=${SEED}`).toBeGreaterThan(0);
  const locks = readdirSync(project.paths.locks);
  // A folder that was prepared to become a lock may wait for the next takeover to be swept.
  expect(locks.filter((name) => !name.includes('.for.'))).toEqual([]);
  expect(locks.length, 'prepared locks do not pile up').toBeLessThanOrEqual(LANES);
  expect((await project.saga(['check'])).stdout).toBe('✓ 4 stories, 0 epics, no problems\n');
});

const JOURNAL_KILLS = Math.ceil(KILLS / 6);

test(`${JOURNAL_KILLS} writers of a journal are killed (SAGA_SEED=${SEED})`, async () => {
  await using programs = await bundlePrograms(PROGRAMS, ['add-entries']);
  await using project = await createTempProject();
  const random = createRandom(SEED);
  project.writeStory('busy');
  const acknowledged: string[] = [];
  for (let kill = 0; kill < JOURNAL_KILLS; kill++) {
    const moment = afterFirstLine(random() * 20);
    acknowledged.push(
      ...(await killProgram(programs['add-entries'], [project.root, 'busy'], moment)),
    );
  }

  const titles = listTitles(project);
  expect(acknowledged.filter((title) => !titles.includes(title))).toEqual([]);
  expect(new Set(titles).size, 'no entry stands there twice').toBe(titles.length);
});

test('a writer of a journal that is killed within an entry leaves no half of it', async () => {
  await using programs = await bundlePrograms(PROGRAMS, ['add-entries']);
  await using project = await createTempProject();
  project.writeStory('busy');
  project.write('stories/busy/journal.md', '');
  const size = () => statSync(join(project.paths.stories, 'busy', 'journal.md')).size;
  for (let kill = 0; kill < 8; kill++) {
    const before = size();
    const killWhileItGrows = () => spinUntil(() => size() > before);
    await killProgram(programs['add-entries'], [project.root, 'busy', '200000'], killWhileItGrows);
  }
  await project.saga(['journal', 'busy', 'add', '--title', 'After all that']);

  const { entries } = parseJournal(project.read('stories/busy/journal.md'));
  const torn = entries.slice(0, -1).filter(({ title, body }) => !body.endsWith(`end of ${title}`));
  expect(torn.map(({ title, body }) => `${title}: ${body.length} characters`)).toEqual([]);
  expect(entries.at(-1)).toMatchObject({ title: 'After all that', body: '' });
});

const listTitles = (project: TempProject) =>
  parseJournal(project.read('stories/busy/journal.md')).entries.map((entry) => entry.title);

const afterFirstLine =
  (delay: number): Moment =>
  async (printed) => {
    while (!printed().includes('\n')) await sleep(1);
    await sleep(delay);
  };

function findTornFiles(project: TempProject, storyId: string): string[] {
  return listStory(project, storyId).filter((name) => {
    if (!name.endsWith('.json')) return false;
    try {
      project.json(`stories/${storyId}/${name}`);
      return false;
    } catch {
      return true;
    }
  });
}

const listTemps = (project: TempProject, storyId: string) =>
  listStory(project, storyId).filter((name) => name.endsWith('.tmp'));

const listStory = (project: TempProject, storyId: string) =>
  readdirSync(join(project.paths.stories, storyId));
