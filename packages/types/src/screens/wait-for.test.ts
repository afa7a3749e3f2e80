import { expect, test } from 'vitest';
import { judgeWait, type WaitFacts, type WaitTarget } from './wait-for.ts';

const facts = (id: string, more: Partial<WaitFacts>): WaitFacts => ({
  ...{ id, state: 'ready', reason: '', isRunning: false, isScheduled: false },
  ...more,
});
const RUNNING = facts('run', { state: 'running', isRunning: true, reason: 'Edit a.ts' });
const ASKING: WaitFacts = { ...RUNNING, isAsking: true };
const REVIEW = facts('rev', { state: 'in review', end: 'done', reason: '#12' });
const DONE = facts('fin', { state: 'done', end: 'done' });
const ASKS = facts('ask', { state: 'needs you', end: 'needs-you', reason: 'Which one?' });
const LIMIT = facts('lim', { state: 'interrupted', end: 'limit', reason: 'the time is up' });
const KILLED = facts('die', { state: 'interrupted', end: 'died', reason: 'killed' });
const FAILED = facts('err', { state: 'interrupted', end: 'error', reason: 'no client' });
const NEVER = facts('new', {});
const EPIC = facts('shop', { state: 'in review', isEpic: true });
const WORKED = { ...EPIC, isRunning: true };
const LATER = facts('lat', { state: 'waiting', isScheduled: true });

test.each<[WaitTarget, WaitFacts[], 'goes on' | number]>([
  ['ended', [RUNNING], 'goes on'],
  ['ended', [REVIEW], 0],
  ['ended', [DONE], 0],
  ['ended', [ASKS], 3],
  ['ended', [LIMIT], 2],
  ['ended', [KILLED], 1],
  ['ended', [FAILED], 1],
  ['ended', [NEVER], 2],
  ['ended', [LATER], 'goes on'],
  ['ended', [REVIEW, RUNNING], 'goes on'],
  ['ended', [REVIEW, ASKS], 3],
  ['ended', [LIMIT, ASKS], 3],
  ['ended', [ASKS, KILLED], 1],
  ['in-review', [RUNNING], 'goes on'],
  ['in-review', [REVIEW, DONE], 0],
  ['in-review', [REVIEW, LATER], 'goes on'],
  ['in-review', [ASKS], 3],
  ['in-review', [ASKS, RUNNING], 'goes on'],
  ['in-review', [{ ...ASKS, isScheduled: true }], 'goes on'],
  ['in-review', [EPIC], 0],
  // Between two of its stories an epic may look like one in review.
  ['in-review', [WORKED], 'goes on'],
  ['done', [{ ...WORKED, state: 'done' }], 'goes on'],
  ['needs-you', [{ ...WORKED, state: 'running', isAsking: true }], 3],
  ['in-review', [{ ...REVIEW, isRunning: true }], 0],
  ['done', [REVIEW], 'goes on'],
  ['done', [DONE, DONE], 0],
  ['done', [LIMIT, DONE], 2],
  ['needs-you', [RUNNING], 'goes on'],
  ['needs-you', [RUNNING, ASKS], 3],
  ['needs-you', [ASKING], 3],
  ['ended', [ASKING], 'goes on'],
  ['needs-you', [REVIEW, DONE], 0],
  ['needs-you', [KILLED], 1],
])('waiting for %s of %j', (target, items, wanted) => {
  const { isOver, exitCode } = judgeWait(target, items);
  expect(isOver ? exitCode : 'goes on').toBe(wanted);
});

test('one line says how it ended, the bad news first', () => {
  expect(judgeWait('ended', [REVIEW, ASKS]).text).toBe('ask: needs you, Which one?');
  expect(judgeWait('in-review', [REVIEW, DONE]).text).toBe('rev: in review, #12; fin: done');
  expect(judgeWait('needs-you', [RUNNING, ASKS]).text).toBe('ask: needs you, Which one?');
  expect(judgeWait('ended', [NEVER]).text).toBe(
    'new: ready, never started; to start it: saga run new',
  );
  const five = [LIMIT, ASKS, KILLED, FAILED, NEVER];
  expect(judgeWait('done', five).text).toMatch(/^lim: .*; and 2 more$/);
});
