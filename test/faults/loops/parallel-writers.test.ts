import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { bundlePrograms } from '../../rig/programs/bundle-programs.ts';
import { type Ended, runProgram } from '../../rig/programs/run-program.ts';
import { buildTask } from '../../rig/project/plan-files.ts';
import { createTempProject, type TempProject } from '../../rig/project/temp-project.ts';

const PROCESSES = 64;
const numbers = Array.from({ length: PROCESSES }, (_, i) => i);

test('64 processes write the tasks of one story: nothing lost, nothing reordered, nothing left', async () => {
  await using programs = await bundlePrograms(PROGRAMS, ['set-status']);
  await using project = await createTempProject();
  const tasks = numbers.slice(0, 8).map((i) => `task-${i}`);
  project.writeStory('busy', {}, []);
  for (const id of tasks) project.write(`stories/busy/${id}.json`, originalText(id));
  using watcher = watchForTornFiles(project, 'stories/busy');

  const ended = await Promise.all(
    numbers.map((i) =>
      runProgram(programs['set-status'], [project.root, 'busy', taskOf(i), `writer-${i}`]),
    ),
  );

  expect(ended.filter(({ code }) => code !== 0)).toEqual([]);
  for (const i of numbers) {
    const pid = Number(/^saved writer-\d+ (\d+)\n$/.exec(ended[i]?.stdout ?? '')?.[1]);
    expect(project.json(`stories/busy/${taskOf(i)}.json`)).toHaveProperty(`writer-${i}`, pid);
  }
  for (const id of tasks) {
    const [before, after] = [originalText(id), project.read(`stories/busy/${id}.json`)];
    const kept = after.split('\n').filter((line) => !line.includes('"writer-'));
    // All that changed in what was there: the status, and a comma after what used to be last.
    expect(kept.join('\n')).toBe(
      before.replace('"pending"', '"completed"').replace('"rank": 7', '"rank": 7,'),
    );
  }
  expect(await watcher.stop()).toEqual([]);
  expectNothingLeft(project);
});

test('64 saga journal add: every entry once, and whole', async () => {
  await using project = await createTempProject();
  project.writeStory('busy');
  const bodyOf = (i: number) =>
    Array.from({ length: 40 }, (_, line) => `line ${line} of writer ${i}`).join('\n');

  const ended = await Promise.all(
    numbers.map((i) =>
      insist(project, ['journal', 'busy', 'add', '--title', `Entry ${i}`, '--body', bodyOf(i)]),
    ),
  );

  expect(ended.filter(({ code }) => code !== 0)).toEqual([]);
  const { stdout } = await project.saga(['journal', 'busy', '--json']);
  const { entries } = JSON.parse(stdout) as { entries: { title: string; body: string }[] };
  const byNumber = entries.toSorted((a, b) => numberIn(a.title) - numberIn(b.title));
  expect(byNumber).toEqual(
    numbers.map((i) => expect.objectContaining({ title: `Entry ${i}`, body: bodyOf(i) })),
  );
  expectNothingLeft(project);
});

test('64 saga create for 16 ids: one winner for each, whole, and the others are told', async () => {
  await using project = await createTempProject();
  const idOf = (i: number) => `story-${i % 16}`;
  const draftOf = (i: number) => ({
    id: idOf(i),
    title: `By contender ${i}`,
    description: '',
    tasks: ['one', 'two', 'three'].map((id) => ({
      ...buildTask(id),
      subject: `By contender ${i}`,
    })),
  });

  const ended = await Promise.all(
    numbers.map((i) =>
      insist(project, ['create', '--json', '--file', draftFile(project, draftOf(i))]),
    ),
  );

  const winners = numbers.filter((i) => ended[i]?.code === 0);
  expect(winners.map(idOf).sort()).toEqual(numbers.slice(0, 16).map(idOf).sort());
  for (const i of numbers.filter((it) => !winners.includes(it))) {
    expect(ended[i]).toMatchObject({ code: 1, stderr: '' });
    expect(JSON.parse(ended[i]?.stdout ?? '').error).toMatchObject({
      code: 'already-exists',
      message: expect.stringContaining(idOf(i)),
      hint: expect.stringMatching(/./),
    });
  }
  for (const i of winners) {
    const { tasks, ...story } = draftOf(i);
    expect(project.json(`stories/${idOf(i)}/story.json`)).toEqual(story);
    for (const it of tasks) {
      expect(project.json(`stories/${idOf(i)}/${it.id}.json`)).toEqual(it);
    }
  }
  expect((await project.saga(['check'])).stdout).toBe('✓ 16 stories, 0 epics, no problems\n');
  expectNothingLeft(project);
});

/** On a slow machine a crowd takes longer than one of them waits for the lock. That is told, and tried again. */
async function insist(project: TempProject, args: string[]): Promise<Ended> {
  for (;;) {
    const ended = await project.saga(args);
    if (!/lock-held/.test(ended.stdout + ended.stderr)) return ended;
  }
}

function draftFile(project: TempProject, draft: { title: string }): string {
  const file = join(project.root, `${draft.title}.json`);
  writeFileSync(file, JSON.stringify(draft));
  return file;
}

const PROGRAMS = new URL('../programs/', import.meta.url);
const taskOf = (i: number) => `task-${i % 8}`;
const numberIn = (title: string) => Number(/\d+/.exec(title)?.[0]);

/** Fields in an order of their own, some of them unknown to SAGA. */
function originalText(id: string): string {
  const { status, ...rest } = buildTask(id);
  const file = {
    'x-first': { deep: [1, { a: null }] },
    status,
    ...rest,
    'x-owner': 'ünï',
    rank: 7,
  };
  return `${JSON.stringify(file, null, 2)}\n`;
}

/** Reads a folder's files over and over, as a dashboard would, and notes each that is not whole. */
function watchForTornFiles(project: TempProject, folder: string) {
  const torn: string[] = [];
  let reads = 0;
  const timer = setInterval(() => {
    for (const name of readdirSync(join(project.paths.saga, folder))) {
      if (!name.endsWith('.json')) continue;
      const text = readFileSync(join(project.paths.saga, folder, name), 'utf8');
      reads++;
      if (!isJson(text)) torn.push(`${name}: ${text}`);
    }
  }, 10);
  return {
    [Symbol.dispose]: () => clearInterval(timer),
    stop: async () => {
      clearInterval(timer);
      expect(reads).toBeGreaterThan(100);
      return torn;
    },
  };
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function expectNothingLeft(project: TempProject): void {
  expect(project.tree().filter((path) => path.endsWith('.tmp'))).toEqual([]);
  const { locks, staging } = project.paths;
  expect(readdirSync(locks)).toEqual([]);
  // Only what is created is staged.
  expect(existsSync(staging) ? readdirSync(staging) : []).toEqual([]);
}
