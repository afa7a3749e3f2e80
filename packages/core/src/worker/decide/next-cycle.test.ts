import { describeCause } from '@saga-ai/types/words/describe-cause';
import { expect, test } from 'vitest';
import { claude } from '../../agents/claude/agent.ts';
import {
  type CycleState,
  decideNextCycle,
  hadItsChance,
  type LastRun,
  tallyRun,
} from './next-cycle.ts';

const OPEN = { id: 'a', status: 'pending' as const, blockedBy: [] as string[] };
const DONE = { id: 'b', status: 'completed' as const, blockedBy: [] as string[] };
const START: CycleState = {
  tasks: [OPEN, DONE],
  openBlockers: [],
  untold: [],
  cycles: 1,
  maxCycles: 10,
  now: 1000,
  deadline: 60_000,
  costUsd: 0.4,
  maxUsd: null,
  tokens: 900,
  maxTokens: null,
  quietCycles: 0,
  outages: 0,
  failures: 0,
  pauses: [1000, 2000, 5000],
};
const ran = (outcome: LastRun['outcome'], more: Partial<LastRun> = {}): LastRun => ({
  outcome,
  detail: 'what it said',
  ...more,
  ...withRemedy(more.stoppedBy ?? outcome),
});

function withRemedy(end: Parameters<typeof claude.findRemedy>[0]): Pick<LastRun, 'remedy'> {
  const remedy = claude.findRemedy(end);
  return remedy ? { remedy } : {};
}

const FAILED = {
  failures: ['verify: code 1\n1 failing'],
  detail: 'verify: code 1',
  checks: ['verify' as const],
  wasTold: false,
  isFinal: false,
};

const say = (state: Partial<CycleState>): string => {
  const next = decideNextCycle({ ...START, ...state });
  if (next.kind === 'stop') return `${next.outcome}: ${describeCause(next.cause)}`;
  return next.kind === 'wait' ? `wait until ${next.until}: ${next.reason}` : next.kind;
};

test.each<[string, Partial<CycleState>, string]>([
  ['open tasks', {}, 'run'],
  ['before the first run', { cycles: 0 }, 'run'],
  ['all completed', { tasks: [DONE] }, 'gate'],
  ['all completed, and feedback or an answer', { tasks: [DONE], untold: ['Rename it'] }, 'run'],
  [
    'a gate that failed for good, and feedback',
    { tasks: [DONE], untold: ['Rename it'], gate: { ...FAILED, isFinal: true } },
    'needs-you: the gate failed: verify: code 1',
  ],
  [
    'feedback that no run can be told any more',
    { tasks: [DONE], untold: ['Rename it'], cycles: 10 },
    'limit: not done after 10 cycles',
  ],
  ['no tasks at all are not completed ones', { tasks: [] }, 'run'],
  ['a blocker', { openBlockers: ['Which?'] }, 'needs-you: open blocker: Which?'],
  ['blockers', { openBlockers: ['A', 'B', 'C'] }, 'needs-you: open blocker: A, and 2 more'],
  [
    'a blocker and all completed',
    { tasks: [DONE], openBlockers: ['A'] },
    'needs-you: open blocker: A',
  ],
  ['an escalated task', { tasks: [{ ...OPEN, escalated: true }] }, 'needs-you: tried too often: a'],
  ['an escalated task that was completed', { tasks: [{ ...DONE, escalated: true }] }, 'gate'],
  ['the time', { now: 60_000 }, 'limit: the time is up'],
  ['the time inside a run', { last: ran('crash', { stoppedBy: 'time' }) }, 'limit: the time is up'],
  ['time is up, but all is completed', { now: 60_000, tasks: [DONE] }, 'gate'],
  ['dollars', { maxUsd: 0.4 }, 'limit: the budget is spent: $0.40'],
  ['dollars inside a run', { last: ran('budget') }, 'limit: the budget is spent: $0.40'],
  ['tokens', { maxTokens: 900 }, 'limit: the token budget is spent: 900'],
  ['cycles', { cycles: 10 }, 'limit: not done after 10 cycles'],
  ['one quiet cycle', { quietCycles: 1 }, 'run'],
  ['two quiet cycles', { quietCycles: 2 }, 'limit: no progress in 2 cycles'],
  [
    'quiet, and the last run says why',
    { quietCycles: 2, last: ran('max-turns') },
    'limit: no progress in 2 cycles (max-turns: what it said)',
  ],
  ['a request that the provider refused', { failures: 1, last: ran('api-error') }, 'run'],
  ['a client that crashed twice', { failures: 2, last: ran('crash') }, 'run'],
  [
    'a client that crashes again and again',
    { failures: 3, last: ran('crash') },
    'limit: 3 runs in a row failed (crash: what it said)',
  ],
  ...[
    [1, 2000],
    [2, 3000],
    [3, 6000],
    [9, 6000],
  ].map(([outages = 0, until]): [string, Partial<CycleState>, string] => [
    `a model that was not available ${outages} times is waited for`,
    { outages, last: ran('unavailable') },
    `wait until ${until}: what it said`,
  ]),
  [
    'a model that says when to come back',
    { outages: 1, last: ran('unavailable', { resetsAt: 30_000 }) },
    'wait until 30000: what it said',
  ],
  [
    'a model that says to come back too late',
    { outages: 1, last: ran('unavailable', { resetsAt: 60_000 }) },
    'limit: the model is not available, and no time is left to wait for it: what it said',
  ],
  [
    'the time that is left is used for one more try',
    { outages: 3, now: 57_500, last: ran('unavailable') },
    'wait until 59500: what it said',
  ],
  [
    'no time is left to wait for the model',
    { outages: 1, now: 59_000, last: ran('unavailable') },
    'limit: the model is not available, and no time is left to wait for it: what it said',
  ],
  [
    'a model that is not waited for',
    { outages: 1, pauses: [], last: ran('unavailable') },
    'limit: the model is not available, and no time is left to wait for it: what it said',
  ],
  ['the model failed after all was completed', { tasks: [DONE], last: ran('unavailable') }, 'gate'],
  ['the context is used up', { last: ran('context-exhausted') }, 'run'],
  ['a refused credential', { last: ran('credential-refused') }, 'error: what it said'],
  ['wrong arguments', { last: ran('usage-error') }, 'error: what it said'],
  ['no Task tools', { last: ran('crash', { stoppedBy: 'no-task-tools' }) }, 'error: what it said'],
  ['a silent guard', { last: ran('crash', { stoppedBy: 'guard-silent' }) }, 'error: what it said'],
  ['asked to stop', { stopRequested: 'stopped by SIGTERM' }, 'stopped: stopped by SIGTERM'],
  ['asked to stop when all is completed', { tasks: [DONE], stopRequested: 'x' }, 'stopped: x'],
  [
    'a usage limit that ends in time',
    { last: ran('usage-limit', { resetsAt: 5000 }) },
    'wait until 5000: what it said',
  ],
  [
    'a usage limit that ends too late',
    { last: ran('usage-limit', { resetsAt: 60_000 }) },
    'limit: the usage limit of the account lasts longer than the time limit: what it said',
  ],
  [
    'a usage limit without an end',
    { last: ran('usage-limit'), deadline: 10_000_000 },
    'wait until 301000: what it said',
  ],
  ['a usage limit that is over', { last: ran('usage-limit', { resetsAt: 900 }) }, 'run'],
  ['a failed gate is given to one run', { tasks: [DONE], gate: FAILED }, 'run'],
  [
    'once a run was told of the failure, the gate looks again',
    { tasks: [DONE], gate: { ...FAILED, wasTold: true } },
    'gate',
  ],
  [
    'a run that was told and opened a task again goes on with it',
    { gate: { ...FAILED, wasTold: true } },
    'run',
  ],
  [
    'a run that a usage limit turned away was told nothing: it is waited for',
    { tasks: [DONE], gate: FAILED, last: ran('usage-limit', { resetsAt: 5000 }) },
    'wait until 5000: what it said',
  ],
  [
    'a run that the time ended was told nothing: the time is up, and the gate is not asked',
    { tasks: [DONE], gate: FAILED, now: 60_000, last: ran('crash', { stoppedBy: 'time' }) },
    'limit: the time is up',
  ],
  [
    'a gate that failed again, or on something no run can mend',
    { tasks: [DONE], gate: { ...FAILED, isFinal: true } },
    'needs-you: the gate failed: verify: code 1',
  ],
  [
    'a failed gate and no cycle left',
    { tasks: [DONE], cycles: 10, gate: FAILED },
    'needs-you: the gate failed: verify: code 1',
  ],
])('%s', (_, state, expected) => {
  expect(say(state)).toBe(expected);
});

test('an error carries its code and what to do', () => {
  const next = decideNextCycle({ ...START, last: ran('credential-refused') });
  expect(next).toMatchObject({
    remedy: { code: 'credential-refused', hint: expect.stringContaining('/login') },
  });
});

test.each<[string, Partial<CycleState>, object]>([
  ['blockers', { openBlockers: ['A', 'B'] }, { kind: 'blocker', titles: ['A', 'B'] }],
  [
    'escalated tasks',
    { tasks: [{ ...OPEN, escalated: true }] },
    { kind: 'escalated', tasks: ['a'] },
  ],
  [
    'the gate',
    { tasks: [DONE], gate: { ...FAILED, isFinal: true } },
    { kind: 'gate', checks: ['verify'], detail: 'verify: code 1' },
  ],
  ['a limit', { cycles: 10 }, { kind: 'limit', of: 'cycles', most: 10 }],
  [
    'no progress',
    { quietCycles: 2, last: ran('max-turns') },
    {
      kind: 'limit',
      of: 'no-progress',
      cycles: 2,
      last: { outcome: 'max-turns', detail: 'what it said' },
    },
  ],
  [
    'a hopeless error',
    { last: ran('usage-error') },
    { kind: 'error', code: 'client-failed', message: 'what it said' },
  ],
])('why it stops is data: %s', (_, state, cause) => {
  expect(decideNextCycle({ ...START, ...state })).toMatchObject({ kind: 'stop', cause });
});

const NONE = { cycles: 0, quietCycles: 0, outages: 0, failures: 0 };

test.each<[string, LastRun, boolean, object]>([
  ['worked', ran('ok'), true, { cycles: 1, quietCycles: 0, outages: 0, failures: 0 }],
  ['changed nothing', ran('ok'), false, { cycles: 1, quietCycles: 2, outages: 0, failures: 0 }],
  ['met an overload', ran('unavailable'), false, { cycles: 0, quietCycles: 1, outages: 4 }],
  ['met an overload in its work', ran('unavailable'), true, { quietCycles: 0, outages: 1 }],
  ['met a usage limit', ran('usage-limit'), false, { cycles: 0, quietCycles: 1, failures: 0 }],
  ['crashed', ran('crash'), false, { cycles: 1, quietCycles: 1, failures: 3 }],
  ['crashed in its work', ran('crash'), true, { cycles: 1, quietCycles: 0, failures: 1 }],
  ['was refused', ran('api-error'), false, { cycles: 1, quietCycles: 1, failures: 3 }],
  ['ran out of time', ran('crash', { stoppedBy: 'time' }), false, { quietCycles: 1 }],
])('a run that %s is counted', (_, run, didSomething, expected) => {
  const before = { cycles: 0, quietCycles: 1, outages: 3, failures: 2 };
  const after = tallyRun(before, run, { isQuiet: !didSomething, isOwnTask: false });
  expect(after).toMatchObject(expected);
});

test('a run that did the one task it was for is no cycle', () => {
  const after = tallyRun(NONE, ran('ok'), { isQuiet: false, isOwnTask: true });
  expect(after).toEqual(NONE);
});

test.each<[string, LastRun, boolean]>([
  ['ended by itself', ran('ok'), true],
  ['used up its context', ran('context-exhausted'), true],
  ['spent the tokens', ran('crash', { stoppedBy: 'tokens' }), true],
  ['met an overload', ran('unavailable'), false],
  ['was refused by the provider', ran('api-error'), false],
  ['met a usage limit', ran('usage-limit'), false],
  ['crashed or was killed', ran('crash'), false],
  ['ran out of time', ran('ok', { stoppedBy: 'time' }), false],
  ['was stopped by a person', ran('ok', { stoppedBy: 'signal' }), false],
  ['lost its worktree', ran('ok', { stoppedBy: 'worktree-gone' }), false],
])('a run that %s is an attempt: %#', (_, run, isAttempt) => {
  expect(hadItsChance(run)).toBe(isAttempt);
});
