import { expect, test } from 'vitest';
import { type EpicEvent, recallRun } from './recall-run.ts';
import { pairGates } from './session-steps.ts';

type Told = EpicEvent extends infer E ? (E extends EpicEvent ? Omit<E, 'time'> : never) : never;
const timed = (told: Told[]) =>
  told.map((event, i) => ({ time: new Date(i * 1000).toISOString(), ...event }) as EpicEvent);
const into = 'epic/shop';
const started = (story: string): Told => ({ type: 'epic:started', story, session: 's' });
const refused: Told = {
  ...{ type: 'epic:not-merged', story: 'a', into, why: 'conflict' },
  ...{ detail: 'both change x', files: ['x'], isTold: true },
} as const;

test('a story that conflicts, is told, conflicts again and then waits for a person', () => {
  const merge: Told = { type: 'epic:merge', story: 'a', into };
  const done: Told = { type: 'epic:ended', story: 'a', kind: 'done', reason: '' };
  const events = timed([
    { type: 'epic:start', epic: 'shop', jobs: 2, stories: 2 },
    started('a'),
    done,
    merge,
    refused,
    started('a'),
    { type: 'epic:changed', isPaused: false, jobs: 3 },
    done,
    merge,
    { ...refused, isTold: false },
  ]);
  const { attempts, merges, jobs, merging } = recallRun(events, true);
  expect(attempts.get('a')).toMatchObject({ starts: 2, trouble: { reason: 'both change x' } });
  expect(merges.get('a')).toEqual([
    { from: 3000, to: 4000, isFailed: true, isStuck: false },
    { from: 8000, to: 9000, isFailed: true, isStuck: true },
  ]);
  expect(jobs).toEqual([
    { at: 0, jobs: 2 },
    { at: 6000, jobs: 3 },
  ]);
  expect(merging).toBeUndefined();
  const between = recallRun(events.slice(0, -1), true);
  expect(between.merging).toBe('a');
  // Nothing goes on once the scheduler is gone.
  expect(recallRun(events.slice(0, -1), false).merging).toBeUndefined();
  expect(recallRun(events.slice(0, 2), true).attempts.get('a')?.isRunning).toBe(true);
  expect(recallRun(events.slice(0, 2), false).attempts.get('a')?.isRunning).toBe(false);
});

test('merges, what was foretold, and a worker that could not be started', () => {
  const commit = 'abc';
  const { merged, foretold, attempts } = recallRun(
    timed([
      { type: 'epic:not-started', story: 'b', reason: 'no tmux' },
      { type: 'epic:foretold', stories: ['a', 'c'], files: ['x'] },
      { type: 'epic:foretold', stories: ['a', 'c'], files: ['x', 'y'] },
      { type: 'epic:merge', story: 'a', into },
      { type: 'epic:merged', story: 'a', into, commit, verified: 'verify' },
    ]),
    true,
  );
  expect(merged).toEqual([{ item: 'a', into, commit, at: 4000, verified: 'verify' }]);
  expect(foretold).toEqual([{ stories: ['a', 'c'], files: ['x', 'y'] }]);
  expect(attempts.get('b')).toMatchObject({ trouble: { reason: 'no tmux' } });
});

test('gates are paired with their ends', () => {
  const at = (seconds: number) => new Date(seconds * 1000).toISOString();
  const gates = pairGates([
    { type: 'gate:failed', time: at(0) },
    { type: 'gate:start', time: at(1) },
    { type: 'gate:failed', time: at(2) },
    { type: 'gate:start', time: at(3) },
    { type: 'gate:start', time: at(5) },
  ]);
  expect(gates).toEqual([
    { from: 1000, to: 2000, isFailed: true },
    { from: 3000, to: 5000, isFailed: false },
    { from: 5000, to: null, isFailed: false },
  ]);
});
