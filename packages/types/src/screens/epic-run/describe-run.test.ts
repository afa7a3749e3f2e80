import { expect, test } from 'vitest';
import { deriveRunState, describeRun } from './describe-run.ts';

const signs = { isPaused: false, isAtWork: true, needy: [] };

test.each([
  [{ ...signs, session: undefined }, 'none'],
  [{ ...signs, session: 'running' }, 'running'],
  [{ ...signs, session: 'running', needy: ['pay'] }, 'running'],
  [{ ...signs, session: 'running', needy: ['pay'], isAtWork: false }, 'people'],
  [{ ...signs, session: 'running', needy: ['pay'], isAtWork: false, isPaused: true }, 'paused'],
  [{ ...signs, session: 'running', isAtWork: false }, 'running'],
  [{ ...signs, session: 'ended', needy: ['pay'], isAtWork: false }, 'ended'],
  [{ ...signs, session: 'died', isPaused: true }, 'died'],
] as const)('%o is %s', (given, state) => {
  expect(deriveRunState(given)).toBe(state);
});

const run = { jobs: 2, elapsedMs: 192_000, working: ['cart'], needy: [], reason: null };

test.each([
  [{ ...run, state: 'running' }, 'running, 2 jobs, 3m12s: works on cart'],
  [
    { ...run, state: 'running', needy: ['pay'], jobs: 1 },
    'running, 1 job, 3m12s: works on cart; waits for you: pay',
  ],
  [
    { ...run, state: 'people', working: [], needy: ['a', 'b', 'c', 'd', 'e', 'f'] },
    'running, 2 jobs, 3m12s: waits for you: a, b, c, d and 2 more',
  ],
  [{ ...run, state: 'paused', working: [] }, 'paused, 2 jobs, 3m12s'],
  [
    { ...run, state: 'running', foretold: [{ stories: ['a', 'b'], files: ['x.ts', 'y.ts'] }] },
    'running, 2 jobs, 3m12s: works on cart; conflict expected between a and b: x.ts, y.ts',
  ],
  [
    { ...run, state: 'ended', reason: 'all 3 stories are merged' },
    'ended after 3m12s: all 3 stories are merged',
  ],
  [{ ...run, state: 'died' }, 'its scheduler was killed'],
] as const)('%o reads as it should', (given, text) => {
  expect(describeRun(given)).toBe(text);
});
