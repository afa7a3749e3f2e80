import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Emit } from '@saga-ai/types/run/event';
import type { SessionRecord } from '@saga-ai/types/run/session-record';
import { deriveInbox } from '@saga-ai/types/screens/inbox';
import { expect, test } from 'vitest';
import { completeStory, createEvidence } from '../../../../test/rig/project/done.ts';
import { openPlanFiles } from '../../../../test/rig/project/plan-files.ts';
import { createProject, type Project } from '../../../../test/rig/project/project.ts';
import { commitAll } from '../../../../test/rig/project/repository.ts';
import { findBase } from '../git/find-base.ts';
import { type Git, openGit } from '../git/git.ts';
import { loadOverview } from '../overview/overview.ts';
import { readEpics } from '../plan/epics.ts';
import { describeProcess } from '../processes/identity.ts';
import { markWorktree } from '../project/story-worktrees.ts';
import { saveSessionRecord } from '../records/session-records.ts';
import type { LaunchEnd, Launcher } from '../sessions/launcher.ts';
import { layOut } from './layout.ts';
import { runEpic } from './run-epic.ts';

test('a story that was taken out of the plan while it was worked on is not merged, and all others are', async () => {
  using it = createPlan({ aa: [], bb: [], cc: ['aa'] });
  const { outcome } = await run(it, async (id) => {
    begin(it, id);
    if (id === 'aa') {
      rmSync(join(it.root, '.saga/stories/aa'), { recursive: true });
      it.epic('shop', { bb: [], cc: [] });
    }
    pass(it, id);
  });
  expect(outcome.cause).toMatchObject({ kind: 'epic-done' });
  expect(merged(it)).toEqual(['bb', 'cc']);
  expect(await look(it)).toEqual({
    aa: ['needs you', expect.stringContaining('is no longer in the plan of epic shop')],
    bb: ['done', expect.any(String)],
    cc: ['done', expect.any(String)],
  });
  expect(await inbox(it)).toEqual([['aa', expect.stringContaining('no longer in the plan')]]);
});

test('a story whose evidence is not on its branch is not merged unproven, and waits for a person', async () => {
  using it = createPlan({ aa: [], bb: [], cc: ['aa'] });
  const { outcome } = await run(it, async (id) => {
    const worktree = begin(it, id);
    if (id !== 'aa') return pass(it, id);
    // The push of the evidence failed: it is nowhere but in the worktree.
    const head = pass(it, id);
    const evidence = `.saga/stories/aa/evidence.json`;
    it.gitIn(worktree, 'rm', '-q', '--cached', evidence);
    it.gitIn(worktree, 'commit', '-q', '-m', 'saga: without evidence');
    openPlanFiles(worktree).write(evidence, createEvidence('aa', { head }));
    return head;
  });
  expect(outcome.cause).toEqual({ kind: 'stuck', stories: ['aa'] });
  expect(merged(it)).toEqual(['bb']);
  const { aa } = await look(it);
  expect(aa).toEqual(['needs you', expect.stringContaining('evidence')]);
  expect(await inbox(it)).toEqual([['aa', expect.stringContaining('evidence')]]);
});

test('a story that does not count as done after its merge is merged once, and others go on', async () => {
  using it = createPlan({ aa: [], bb: [] });
  // Nobody can know why the branch does not count: here it loses the story again after each merge.
  const { outcome } = await run(
    it,
    async (id) => {
      begin(it, id);
      pass(it, id);
    },
    {
      emit: (type, fields) => {
        if (type !== 'epic:merged' || !('commit' in fields && 'story' in fields)) return;
        if (fields.story === 'aa')
          it.git('update-ref', 'refs/heads/epic/shop', `${fields.commit}^1`);
      },
    },
  );
  expect(outcome.cause).toEqual({ kind: 'stuck', stories: ['aa'] });
  expect(merged(it).toSorted()).toEqual(['aa', 'bb']);
  expect((await look(it)).aa).toEqual(['needs you', expect.stringContaining('epic/shop')]);
});

test('a git that cannot start once, after a worker could not be started, ends no epic', async () => {
  using it = createPlan({ aa: [], bb: [] });
  let failures = 0;
  const { outcome } = await run(
    it,
    async (id) => {
      if (id === 'aa') throw new Error('tmux is away.');
      begin(it, id);
      pass(it, id);
    },
    {
      resolve: (name) => {
        if (!name.endsWith('story/aa') || failures > 0) return;
        failures++;
        throw Object.assign(new Error('spawn git EAGAIN'), { code: 'EAGAIN' });
      },
    },
  );
  expect(failures).toBe(1);
  expect(outcome.cause).toEqual({ kind: 'stuck', stories: ['aa'] });
  expect(merged(it)).toEqual(['bb']);
  expect(await inbox(it)).toEqual([['aa', expect.stringContaining('tmux is away.')]]);
});

test('an error beside the scheduler ends it with its reason, and its workers before', async () => {
  using it = createPlan({ aa: [], bb: [] });
  const working = Promise.withResolvers<LaunchEnd>();
  const failing = run(
    it,
    async (id) => {
      begin(it, id);
      if (id === 'aa') pass(it, id);
    },
    {
      ends: { bb: working },
      emit: (type) => {
        if (type === 'epic:ended') throw new Error('ENOSPC: no space left on device, write');
      },
    },
  );
  await expect(failing).rejects.toThrow('no space left');
  await expect(working.promise).resolves.toMatchObject({ kind: 'stopped' });
});

const merged = (it: Project) => it.said('epic:merged').map(({ story }) => story);

async function look(it: Project) {
  const { stories } = await loadOverview(it.paths, it.env);
  return Object.fromEntries(stories.map(({ id, state, reason }) => [id, [state, reason]]));
}

async function inbox(it: Project) {
  const { stories } = await loadOverview(it.paths, it.env);
  return deriveInbox(stories).map(({ story, reasons }) => [story, reasons.join()]);
}

function createPlan(stories: Record<string, string[]>): Project {
  const it = createProject({ remote: null });
  for (const id of Object.keys(stories)) it.story(id, { epic: 'shop' }, { one: {} });
  it.epic('shop', stories);
  commitAll(it.gitIn, it.root, 'Plan');
  return it;
}

/** Runs the epic of a project with workers that are functions. Ends a scheduler that merges one story twice. */
async function run(
  it: Project,
  work: (id: string) => Promise<unknown>,
  hooks: {
    emit?: (...args: Parameters<Emit>) => void;
    resolve?: (name: string) => void;
    /** The workers that go on until they are asked to stop. */
    ends?: Record<string, PromiseWithResolvers<LaunchEnd>>;
  } = {},
) {
  const launcher: Launcher = {
    async start(id) {
      await work(id);
      const end = hooks.ends?.[id] ?? Promise.withResolvers<LaunchEnd>();
      if (!hooks.ends?.[id])
        end.resolve({ kind: 'done', reason: 'all tasks completed', exitCode: 0 });
      return {
        session: `saga-story-${id}-1`,
        outputFile: join(it.folder, `${id}.jsonl`),
        ended: end.promise,
        stop: async (reason) => end.resolve({ kind: 'stopped', reason, exitCode: 2 }),
      };
    },
  };
  const stop = new AbortController();
  const worker = it.worker({ pullRequest: { mode: 'off' } });
  const emit = ((type, fields) => {
    worker.emit(type, fields);
    hooks.emit?.(type, fields);
    if (new Set(merged(it)).size < merged(it).length) stop.abort('merged twice');
  }) as Emit;
  const real = openGit(it.root, it.env);
  const git: Git = {
    ...real,
    async resolve(name) {
      hooks.resolve?.(name);
      return real.resolve(name);
    },
  };
  const epics = new Map(readEpics(it.paths).epics.map((epic) => [epic.id, epic]));
  const record: SessionRecord = {
    version: 1,
    session: 'saga-epic-shop-1700000000000',
    story: 'shop',
    isEpic: true,
    ...describeProcess(process.pid),
    outputFile: join(it.folder, 'shop.jsonl'),
    tmux: false,
    startedAt: new Date().toISOString(),
    model: 'opus',
    cycle: 0,
    tokens: 0,
    costUsd: 0,
  };
  const outcome = await runEpic({
    git,
    worker: { ...worker, storyId: 'shop', emit, stop: stop.signal },
    epicId: 'shop',
    epics,
    items: layOut('shop', epics),
    base: await findBase(real, worker.base.name),
    launcher,
    options: { jobs: 3, failFast: false, noWait: true, flags: {} },
    keepTroubles: (troubles) => saveSessionRecord(it.paths, { ...record, troubles: [...troubles] }),
  });
  return { outcome };
}

/** Makes the worktree of a story, as a worker does first. */
function begin(it: Project, id: string): string {
  const worktree = join(it.worktrees, id);
  it.git('worktree', 'add', '-q', '-b', `story/${id}`, worktree, 'epic/shop');
  markWorktree(join(it.root, '.git/worktrees', id), `story/${id}`, it.root);
  return worktree;
}

/** Leaves a story as a worker does whose gate passed. Returns the commit that was checked. */
function pass(it: Project, id: string): string {
  const worktree = join(it.worktrees, id);
  const files = openPlanFiles(worktree);
  files.write(`${id}.txt`, `${id}\n`);
  commitAll(it.gitIn, worktree, `Work on ${id}`);
  const head = it.gitIn(worktree, 'rev-parse', 'HEAD').trim();
  completeStory(files, id, { head });
  return head;
}
