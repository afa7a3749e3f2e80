import { join } from 'node:path';
import { buildResolution, findOpenBlockers, parseJournal } from '@saga-ai/types/plan/journal';
import { buildToldNote, findUntold } from '@saga-ai/types/plan/worker-notes';
import type { Emit } from '@saga-ai/types/run/event';
import { expect, test } from 'vitest';
import { completeStory } from '../../../../test/rig/project/done.ts';
import { openPlanFiles } from '../../../../test/rig/project/plan-files.ts';
import { createProject, type Project } from '../../../../test/rig/project/project.ts';
import { commitAll } from '../../../../test/rig/project/repository.ts';
import { findBase } from '../git/find-base.ts';
import { type Git, openGit } from '../git/git.ts';
import { readEpics } from '../plan/epics.ts';
import { appendJournal } from '../plan/journal.ts';
import { loadStory } from '../plan/stories.ts';
import { markWorktree } from '../project/story-worktrees.ts';
import type { LaunchEnd, Launcher } from '../sessions/launcher.ts';
import { closeTold } from '../worker/settle/close-told.ts';
import { layOut } from './layout.ts';
import { runEpic } from './run-epic.ts';

test('a merge that ends while the scheduler looks at the stories is not tried a second time', async () => {
  using it = createProject({ remote: null });
  for (const id of ['first', 'second', 'never']) it.story(id, { epic: 'shop' }, { one: {} });
  it.epic('shop', { first: [], second: [], never: [] });
  commitAll(it.gitIn, it.root, 'Plan');
  const starts: string[] = [];
  const launcher: Launcher = {
    async start(id) {
      starts.push(id);
      if (id === 'never') throw new Error('It cannot be started.');
      await work(it, id);
      return {
        session: `saga-story-${id}-${starts.length}`,
        outputFile: join(it.folder, `${id}.jsonl`),
        ended: Promise.resolve({ kind: 'done', reason: 'all tasks completed', exitCode: 0 }),
        async stop() {},
      };
    },
  };
  const worker = it.worker({ pullRequest: { mode: 'off' } });
  const git = openGit(it.root, it.env);
  const slow = slowDown(git, worker.emit, () =>
    it.write('.saga/stories/never/journal.md', 'News\n'),
  );
  const epics = new Map(readEpics(it.paths).epics.map((epic) => [epic.id, epic]));
  const outcome = await runEpic({
    git: slow.git,
    worker: { ...worker, storyId: 'shop', emit: slow.emit },
    epicId: 'shop',
    epics,
    items: layOut('shop', epics),
    base: await findBase(git, worker.base.name),
    launcher,
    options: { jobs: 3, failFast: false, noWait: true, flags: {} },
    keepTroubles: () => {},
  });

  expect(it.said('epic:not-merged').map(({ story, isTold }) => [story, isTold])).toEqual([
    ['second', true],
  ]);
  expect(starts.toSorted()).toEqual(['first', 'never', 'second', 'second']);
  expect(it.said('epic:merged').map(({ story }) => story)).toEqual(['first', 'second']);
  expect(outcome.cause).toEqual({ kind: 'stuck', stories: ['never'] });
});

test('a scheduler that is stopped tells again and again for which workers it waits', async () => {
  using it = createProject({ remote: null });
  it.story('slow', { epic: 'shop' }, { one: {} });
  it.epic('shop', { slow: [] });
  commitAll(it.gitIn, it.root, 'Plan');
  const stop = new AbortController();
  const end = Promise.withResolvers<LaunchEnd>();
  const asked: string[] = [];
  const launcher: Launcher = {
    async start(id) {
      const session = `saga-story-${id}-1`;
      const outputFile = join(it.folder, `${id}.jsonl`);
      return { session, outputFile, ended: end.promise, stop: async (why) => void asked.push(why) };
    },
  };
  const worker = it.worker({ pullRequest: { mode: 'off' } });
  const emit = ((type, fields) => {
    worker.emit(type, fields);
    if (type === 'epic:started') stop.abort();
    // The worker needs longer to push than anybody would wait for a silent scheduler.
    if (it.said('epic:stopping').length === 3) {
      end.resolve({ kind: 'stopped', reason: 'it was stopped', exitCode: 2 });
    }
  }) as Emit;
  const git = openGit(it.root, it.env);
  const epics = new Map(readEpics(it.paths).epics.map((epic) => [epic.id, epic]));
  const outcome = await runEpic({
    git,
    worker: { ...worker, storyId: 'shop', emit, stop: stop.signal },
    epicId: 'shop',
    epics,
    items: layOut('shop', epics),
    base: await findBase(git, worker.base.name),
    launcher,
    options: { jobs: 1, failFast: false, noWait: false, flags: {} },
    keepTroubles: () => {},
  });
  expect(outcome.kind).toBe('stopped');
  expect(asked).toEqual(['the epic was stopped']);
  expect(it.said('epic:stopping').map(({ stories }) => stories)).toEqual([
    ['slow'],
    ['slow'],
    ['slow'],
  ]);
});

test('an answer to a conflict reaches a run before the merge is tried again; then the question names it', async () => {
  using it = createProject({ remote: null });
  for (const id of ['first', 'second']) it.story(id, { epic: 'shop' }, { one: {} });
  it.epic('shop', { first: [], second: [] });
  commitAll(it.gitIn, it.root, 'Plan');
  const ANSWER = 'Keep both, ZEBRA42 first.';
  const entries = () => parseJournal(loadStory(it.paths, 'second').journal).entries;
  /** What each run of the second story is told. */
  const told: string[][] = [];
  const launcher: Launcher = {
    async start(id) {
      if (id === 'first' || told.length === 0) await work(it, id);
      if (id === 'second') told.push(await tellOnly(it));
      return {
        session: `saga-story-${id}-${told.length}`,
        outputFile: join(it.folder, `${id}.jsonl`),
        ended: Promise.resolve({ kind: 'done', reason: 'all tasks completed', exitCode: 0 }),
        async stop() {},
      };
    },
  };
  const worker = it.worker({ pullRequest: { mode: 'off' } });
  const stop = new AbortController();
  const emit = ((type, fields) => {
    worker.emit(type, fields);
    if (type !== 'epic:waits') return;
    if (told.length >= 3) stop.abort('enough');
    const now = new Date().toISOString();
    const answers = findOpenBlockers(entries()).map((asked) => buildResolution(asked, ANSWER, now));
    if (told.length < 3) void appendJournal(it.paths, 'second', ...answers);
  }) as Emit;
  const git = openGit(it.root, it.env);
  const epics = new Map(readEpics(it.paths).epics.map((epic) => [epic.id, epic]));
  await runEpic({
    git,
    worker: { ...worker, storyId: 'shop', emit, stop: stop.signal },
    epicId: 'shop',
    epics,
    items: layOut('shop', epics),
    base: await findBase(git, worker.base.name),
    launcher,
    options: { jobs: 1, failFast: false, noWait: false, flags: {} },
    keepTroubles: () => {},
  });
  expect(told).toEqual([[], [expect.stringContaining('same.txt')], [ANSWER]]);
  expect(findOpenBlockers(entries())).toMatchObject([
    { body: expect.stringContaining(`it did not help: "${ANSWER}"`) },
  ]);
});

/** Leaves the second story as a worker does whose run was told everything and could not mend the conflict. */
async function tellOnly(it: Project): Promise<string[]> {
  const { feedback, answers } = findUntold(
    parseJournal(loadStory(it.paths, 'second').journal).entries,
  );
  const untold = [...feedback, ...answers];
  const ids = untold.map(({ id }) => id);
  await closeTold({ paths: it.paths, storyId: 'second' }, ids, { from: 'a', to: undefined });
  return untold.map(({ body }) => body);
}

/** Leaves a story as a worker does whose gate passed: both stories write the same file. */
async function work(it: Project, id: string): Promise<void> {
  const worktree = join(it.worktrees, id);
  const files = openPlanFiles(worktree);
  const now = new Date().toISOString();
  if (it.git('branch', '--list', `story/${id}`) === '') {
    it.git('worktree', 'add', '-q', '-b', `story/${id}`, worktree, 'epic/shop');
    markWorktree(join(it.root, '.git/worktrees', id), `story/${id}`, it.root);
    files.write('same.txt', `${id}\n`);
  } else {
    it.gitIn(worktree, 'merge', '-q', '-X', 'ours', 'epic/shop');
    files.write('same.txt', 'both\n');
    const { entries } = parseJournal(files.read(`.saga/stories/${id}/journal.md`));
    const told = entries.slice(-1).map((it) => buildToldNote(it, { from: 'a', to: 'b' }, now));
    await appendJournal(it.paths, id, ...told);
  }
  commitAll(it.gitIn, worktree, `Work on ${id}`);
  const head = it.gitIn(worktree, 'rev-parse', 'HEAD').trim();
  completeStory(files, id, { head });
}

/**
 * Makes one look at the stories slow: it begins before the second story is told that it does not merge, and ends
 * after that merge. The scheduler asks git for the branch of `never` at the end of each look.
 */
function slowDown(git: Git, emit: Emit, giveNews: () => void) {
  const looked = Promise.withResolvers<void>();
  const mergeEnded = Promise.withResolvers<void>();
  let phase: 'before' | 'merging' | 'told' = 'before';
  return {
    emit: ((type, fields) => {
      emit(type, fields);
      const isSecond = 'story' in fields && fields.story === 'second';
      if (type === 'epic:merge' && isSecond && phase === 'before') phase = 'merging';
      if (type === 'epic:not-merged') phase = 'told';
    }) as Emit,
    git: {
      ...git,
      async resolve(name: string) {
        const found = await git.resolve(name);
        if (name === 'refs/heads/story/never' && phase === 'merging') {
          looked.resolve();
          await mergeEnded.promise;
        }
        if (name !== 'refs/heads/story/second') return found;
        if (phase === 'merging') {
          giveNews();
          await looked.promise;
        }
        // A merge asks for this last. What it does with the answer is done before the next turn.
        if (phase === 'told') setImmediate(mergeEnded.resolve);
        return found;
      },
    },
  };
}
