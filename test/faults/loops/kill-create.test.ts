import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { checkProject } from '@saga-ai/core/authoring/check';
import type { Problem } from '@saga-ai/types/words/problem';
import { expect, test } from 'vitest';
import { isUnfinished, killCreate, whenCommitted } from '../../rig/faults/interrupt-create.ts';
import { KILLS, type Moment, spinUntil } from '../../rig/programs/kill-program.ts';
import { PLAN_ENV } from '../../rig/project/done.ts';
import { buildStory, buildTask } from '../../rig/project/plan-files.ts';
import { createTempProject, type TempProject } from '../../rig/project/temp-project.ts';
import { SEED } from '../../rig/random/seed.ts';
import { createRandom } from '../../rig/random/seeded-random.ts';

const ROUNDS = Math.max(12, Math.ceil(KILLS / 10));

test(`${ROUNDS} saga create of an epic are killed: all or nothing (SAGA_SEED=${SEED})`, async () => {
  const random = createRandom(SEED);
  const undisturbed = await measureCreate();
  const faults: string[] = [];
  const seen = { nothing: 0, everything: 0, unfinished: 0 };

  const hasAll = () => seen.nothing > 0 && seen.everything > 0 && seen.unfinished > 0;
  // Where a kill lands is up to the machine: it goes on until each kind of moment was hit.
  for (let round = 0; round < ROUNDS || (round < 10 * ROUNDS && !hasAll()); round++) {
    const fault = (text: string) => faults.push(`SAGA_SEED=${SEED}, round ${round}: ${text}`);
    await using project = await createTempProject();
    const moments: [Moment, ...Moment[]] = [
      () => sleep(random() * undisturbed * 1.2),
      whenCommitted(project, () => isDone(project)),
      () => spinUntil(() => existsSync(join(project.paths.stories, 'story-0'))),
    ];
    await killCreate(project, EPIC, moments[round % moments.length] ?? moments[0]);

    if (isUnfinished(project)) seen.unfinished++;
    for (const { code, message } of await check(project)) {
      if (code !== 'unfinished-create') fault(`${message} [${code}]`);
    }

    const next = await project.saga(['create', '--title', 'Next one']);
    if (next.code !== 0) fault(`the next saga create failed: ${next.stderr}`);
    const found = listPlanted(project);
    if (found.length === 0) seen.nothing++;
    else if (found.join() === PLANTED.join()) seen.everything++;
    else fault(`only a part of the epic is there: ${found}`);
    if (readdirSync(project.paths.staging).length > 0) fault('the staging folder is not empty');
    const { problems } = await checkProject(project.paths, PLAN_ENV);
    for (const { message } of problems) fault(`afterwards: ${message}`);
  }

  expect(faults).toEqual([]);
  expect(seen.nothing, 'kills before it was committed').toBeGreaterThan(0);
  expect(seen.everything, 'kills after it was committed').toBeGreaterThan(0);
  expect(seen.unfinished, 'kills before all was in its place').toBeGreaterThan(0);
});

const STORIES = Array.from({ length: 10 }, (_, i) => `story-${i}`);
const EPIC = {
  id: 'big',
  title: 'A big epic',
  description: '',
  stories: STORIES.map((id) => ({
    ...buildStory(id),
    tasks: [buildTask('one'), buildTask('two')],
  })),
};
const PLANTED = [
  'epics/big.json',
  ...STORIES.flatMap((id) =>
    ['', 'one.json', 'story.json', 'two.json'].map((it) => `stories/${id}/${it}`),
  ),
].sort();

function listPlanted(project: TempProject): string[] {
  const paths = [...project.tree('epics'), ...project.tree('stories')];
  return paths.filter((path) => !path.startsWith('stories/next-one/')).sort();
}

async function check(project: TempProject): Promise<Problem[]> {
  return JSON.parse((await project.saga(['check', '--json'])).stdout).problems;
}

/** How long an undisturbed create takes here, so that the kills fall all over it. */
async function measureCreate(): Promise<number> {
  await using project = await createTempProject();
  const started = Date.now();
  await killCreate(project, EPIC, async () => {
    while (!isDone(project)) await sleep(1);
  });
  return Date.now() - started;
}

const isDone = ({ paths }: TempProject) => existsSync(join(paths.epics, 'big.json'));
