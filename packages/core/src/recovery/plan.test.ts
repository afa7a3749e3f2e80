import type { StoryView } from '@saga-ai/types/screens/overview';
import { describe, expect, test } from 'vitest';
import type { RecoveryFacts, StoryDetails } from './facts.ts';
import { planRecovery } from './plan.ts';

const story = (id: string, fields: Partial<StoryView> = {}): StoryView => ({
  ...{ id, title: id, epic: null, status: 'pending', state: 'interrupted', reason: 'killed' },
  ...{ next: `saga run ${id}`, remedy: null, since: null, ended: 'died', unverified: false },
  ...{ ready: false, blockedBy: [], hindrances: [], running: false, session: null },
  ...{
    needsYou: null,
    progress: { completed: 1, total: 2 },
    working: null,
    home: `.saga/stories/${id}`,
  },
  ...{ branch: null, pr: null, labels: [], behind: null },
  ...fields,
});

const none = { local: new Set<string>(), remote: new Set<string>() };
const facts = (fields: Partial<RecoveryFacts> = {}): RecoveryFacts => ({
  ...{
    now: 3_600_000,
    stories: [],
    epics: [],
    problems: [],
    archived: new Set(),
    details: new Map(),
  },
  ...{ schedulers: [], worktrees: [], branches: { stories: none, epics: none }, locks: [] },
  ...{ processes: [], tmux: [], elsewhere: [], lists: [] },
  ...fields,
});

const task = (id: string, status: string, blockedBy: string[] = []) => ({ id, status, blockedBy });
const worktree = { folder: '/w/x', changed: [], hasUnfinishedRun: false };

describe('what resuming a story would do', () => {
  test.each<
    [string, Partial<StoryDetails>, Partial<StoryView>, 'resume' | 'person', string, string]
  >([
    [
      'a task was under way',
      { worktree, tasks: [task('a', 'completed'), task('b', 'in_progress')] },
      {},
      'resume',
      'saga recover --resume x',
      'continues with task b',
    ],
    [
      'a run was cut off',
      { worktree: { ...worktree, hasUnfinishedRun: true }, tasks: [task('b', 'in_progress')] },
      {},
      'resume',
      'saga recover --resume x',
      'settles the run that was cut off, then continues with task b',
    ],
    [
      'the first task that nothing blocks comes next',
      { worktree, tasks: [task('a', 'pending', ['b']), task('b', 'pending')] },
      {},
      'resume',
      'saga recover --resume x',
      'goes on with task b',
    ],
    [
      'its worktree is gone',
      { tasks: [task('a', 'pending')] },
      {},
      'resume',
      'saga recover --resume x',
      'makes its worktree again and goes on with task a',
    ],
    [
      'all is completed',
      { worktree, tasks: [task('a', 'completed')] },
      {},
      'resume',
      'saga recover --resume x',
      'runs the gate only, no model run',
    ],
    [
      'feedback is open',
      { worktree, tasks: [task('a', 'completed')], hasUntold: true },
      {},
      'resume',
      'saga recover --resume x',
      'works on what no run was told yet',
    ],
    [
      'it needs a person',
      { worktree, tasks: [task('a', 'pending')] },
      { state: 'needs you', next: 'saga resolve x' },
      'person',
      'saga resolve x',
      'it needs your answer or your hand first',
    ],
  ])('%s', (_, details, view, kind, command, what) => {
    const plan = planRecovery(
      facts({
        stories: [story('x', view)],
        details: new Map([['x', { tasks: [], hasUntold: false, ...details }]]),
      }),
    );
    expect(plan.inFlight.map(({ next }) => next)).toEqual([{ kind, command, what }]);
  });
});

test('every conclusion names its evidence', () => {
  const session = {
    ...{ session: 'saga-story-x-1', story: 'x', pid: 41, file: '.git/saga/runs/sessions/s.json' },
    lastEvent: { type: 'run:tool', time: '2026-01-01T08:41:07.000Z', file: '/tmp/s.jsonl' },
  };
  const lock = {
    ...{
      path: '/p/worker-x',
      shown: '.git/saga/runs/locks/worker-x',
      pid: 41,
      host: 'h',
      since: 0,
    },
    ...{ isElsewhere: false, story: 'x' },
  };
  const details = {
    worktree: { ...worktree, changed: ['a.ts', 'b.ts'], operation: 'rebase' },
    tasks: [task('a', 'in_progress')],
    ...{ hasUntold: false, session, unpushed: 1, ahead: 3 },
  };
  const [item] = planRecovery(
    facts({
      stories: [story('x', { behind: 2 })],
      details: new Map([['x', details]]),
      locks: [lock],
      branches: { remote: 'origin', stories: { ...none, local: new Set(['x']) }, epics: none },
    }),
  ).inFlight;
  expect(item).toMatchObject({ ahead: 3, behind: 2, unpushed: 1, task: 'a', branch: 'story/x' });
  expect(item?.evidence).toEqual([
    { says: 'worktree has 2 uncommitted files (a.ts, b.ts)', source: 'git -C /w/x status' },
    { says: 'a rebase is under way in it', source: 'git -C /w/x status' },
    { says: '1 commit not pushed', source: 'git log story/x --not --remotes' },
    { says: 'last event run:tool 2026-01-01T08:41:07.000Z', source: '/tmp/s.jsonl' },
    { says: 'worker 41 is gone', source: '.git/saga/runs/sessions/s.json' },
    { says: 'lock is stale', source: '.git/saga/runs/locks/worker-x' },
    { says: '1 of 2 tasks completed', source: '.saga/stories/x' },
    { says: 'task a was under way', source: '.saga/stories/x/a.json' },
  ]);
});

test('what runs, waits or is over is not in flight', () => {
  const stories = [
    story('a', { state: 'running', running: true, ended: null }),
    story('b', { state: 'done', ended: null }),
    story('c', { state: 'ready', ended: null }),
    story('d', { state: 'in review', ended: 'done' }),
    story('e', { state: 'needs you', ended: 'needs-you' }),
  ];
  expect(planRecovery(facts({ stories }))).toEqual({ inFlight: [], orphans: [], running: ['a'] });
});

test('a scheduler that was killed is resumed as an epic', () => {
  const killed = { session: 'saga-epic-shop-1', story: 'shop', pid: 7, file: 'f' };
  const { inFlight } = planRecovery(facts({ schedulers: [killed] }));
  expect(inFlight).toMatchObject([
    { id: 'shop', kind: 'epic', next: { kind: 'resume', command: 'saga recover --resume shop' } },
  ]);
});

describe('orphans have a name, an explanation and a remedy', () => {
  const known = [story('known', { state: 'ready', ended: null })];
  const place = (name: string, isGone: boolean) => ({
    ...{ story: name, folder: `/w/${name}`, shown: `../w/${name}`, isGone, isPlanned: isGone },
  });
  const branches = (fields: Partial<RecoveryFacts['branches']>) => ({
    branches: { remote: 'origin', stories: none, epics: none, ...fields },
  });
  const lock = { path: '/p/l', shown: 'l', pid: 9, host: 'vm-2', since: 0 };
  test.each<[string, Partial<RecoveryFacts>, string, RegExp]>([
    [
      'worktree-without-story',
      { worktrees: [place('spike', false)] },
      '../w/spike',
      /--discard spike/,
    ],
    ['worktree-gone', { worktrees: [place('known', true)] }, '../w/known', /saga run known/],
    [
      'branch-without-story',
      branches({ stories: { ...none, local: new Set(['spike', 'known']) } }),
      'story/spike',
      /--discard spike/,
    ],
    [
      'branch-without-story',
      branches({ epics: { ...none, local: new Set(['old']) } }),
      'epic/old',
      /--discard old/,
    ],
    [
      'branch-only-on-remote',
      branches({ stories: { ...none, remote: new Set(['known']) } }),
      'origin/story/known',
      /saga run known goes on/,
    ],
    ['lock-of-the-dead', { locks: [{ ...lock, isElsewhere: false }] }, 'l', /doctor --fix/],
    [
      'lock-of-another-machine',
      { locks: [{ ...lock, isElsewhere: true, story: 'known' }] },
      'l',
      /saga stop --forget known/,
    ],
    [
      'session-of-another-machine',
      {
        elsewhere: [
          { session: 's', story: 'known', host: 'vm', startedAt: '1970-01-01', file: 's.json' },
        ],
      },
      's',
      /saga stop --forget known/,
    ],
    [
      'session-without-worker',
      { tmux: [{ session: 's', story: 'known', kill: 'tmux kill-session -t =s' }] },
      's',
      /^tmux kill-session/,
    ],
    [
      'list-without-story',
      { lists: [{ name: 'saga__spike__1', story: 'spike', folder: '/c/l' }] },
      'saga__spike__1',
      /saga clean/,
    ],
    [
      'process-without-worker',
      { processes: [{ pid: 5, name: 'claude', story: 'known', session: 's' }] },
      'known',
      /doctor --fix/,
    ],
  ])('%s', (kind, fields, name, remedy) => {
    const { orphans } = planRecovery(facts({ stories: known, ...fields }));
    expect(orphans.map((it) => [it.kind, it.name])).toEqual([[kind, name]]);
    expect(orphans[0]?.remedy).toMatch(remedy);
    expect(orphans[0]?.explanation).not.toBe('');
    expect(orphans[0]?.evidence.length).toBeGreaterThan(0);
  });

  test('a branch of a story in review on another machine is none, and one in the archive is none', () => {
    const { orphans } = planRecovery(
      facts({
        stories: [story('x', { state: 'in review', ended: null })],
        archived: new Set(['old']),
        ...branches({ stories: { local: new Set(['old']), remote: new Set(['x']) } }),
      }),
    );
    expect(orphans).toEqual([]);
  });
});
