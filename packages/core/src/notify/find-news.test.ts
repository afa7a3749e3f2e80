import type { RunEvent } from '@saga-ai/types/run/event';
import { expect, test } from 'vitest';
import { NewsFinder, type SessionEnd } from './find-news.ts';

const event = (type: string, fields: object = {}) => ({ time: '', type, ...fields }) as RunEvent;
const BEGUN = [event('worktree:start', { path: 'p', branch: 'b' })];
const GATE = event('gate:passed', { head: 'abc' });

function endOf(
  end: SessionEnd,
  events: readonly RunEvent[] = BEGUN,
  kind: 'story' | 'epic' = 'story',
) {
  const finder = new NewsFinder('cart', kind, 'saga-story-cart-1');
  for (const it of events) finder.read(it);
  return finder.readEnd(end);
}

test.each<[string, SessionEnd, RunEvent[], object | undefined]>([
  [
    'a passed gate',
    { kind: 'done', cause: { kind: 'done' }, reason: 'gate passed' },
    [...BEGUN, GATE],
    { on: 'in-review', title: 'cart is in review', key: 'in-review:abc', next: 'saga show cart' },
  ],
  [
    'a blocker',
    { kind: 'needs-you', cause: { kind: 'blocker', titles: ['Which?'] }, reason: 'Which?' },
    BEGUN,
    { on: 'needs-you', text: 'cart needs you: open blocker: Which?', next: 'saga resolve cart' },
  ],
  [
    'an error',
    { kind: 'error', cause: { kind: 'error', message: 'm' }, reason: 'm' },
    BEGUN,
    { on: 'failed', title: 'cart failed', next: 'saga show cart', key: 'failed:saga-story-cart-1' },
  ],
  [
    'a refused login',
    {
      kind: 'error',
      cause: { kind: 'error', code: 'credential-refused', message: 'm' },
      reason: 'm',
    },
    BEGUN,
    { on: 'failed', title: 'cart failed', next: 'saga doctor' },
  ],
  [
    'a limit',
    { kind: 'limit', cause: { kind: 'limit', of: 'time' }, reason: 'the time is up' },
    BEGUN,
    { on: 'failed', title: 'cart stopped at a limit', next: 'saga run cart' },
  ],
  [
    'a stop by a person',
    { kind: 'stopped', cause: { kind: 'stopped', why: 'w' }, reason: 'w' },
    BEGUN,
    undefined,
  ],
  [
    'a worker that did not begin',
    { kind: 'error', cause: { kind: 'error', message: 'has a worker' }, reason: 'has a worker' },
    [],
    undefined,
  ],
])('the end of a story: %s', (_, end, events, wanted) => {
  const news = endOf(end, events);
  if (wanted === undefined) expect(news).toBeUndefined();
  else expect(news).toMatchObject({ kind: 'story', id: 'cart', ...wanted });
});

test('the end of an epic', () => {
  const begun = [event('epic:start', { epic: 'shop', jobs: 1, stories: 2 })];
  const done = { kind: 'epic-done', stories: 2, into: 'epic/cart' } as const;
  expect(endOf({ kind: 'done', cause: done, reason: '2 merged' }, begun, 'epic')).toMatchObject({
    on: 'epic-done',
    text: 'cart is done: 2 merged',
  });
  const stuck: SessionEnd['cause'] = { kind: 'stuck', stories: ['pay'] };
  const end: SessionEnd = { kind: 'needs-you', cause: stuck, reason: 'pay' };
  expect(endOf(end, begun, 'epic')).toMatchObject({ on: 'needs-you', next: 'saga inbox' });
});

test('what happens to the stories of an epic', () => {
  const finder = new NewsFinder('shop', 'epic', 'saga-epic-shop-1');
  const read = (type: string, fields: object) =>
    finder.read(event(type, fields)).news.map(({ on, id, key }) => `${on} ${id} ${key}`);
  expect(read('epic:started', { story: 'pay', session: 's-1' })).toEqual([]);
  expect(read('epic:merged', { story: 'cart', into: 'e', commit: 'c', verified: 'gate' })).toEqual([
    'done cart done:c',
  ]);
  const not = { story: 'cart', into: 'e', detail: 'x' };
  expect(read('epic:not-merged', { ...not, why: 'conflict', isTold: true })).toEqual([]);
  expect(read('epic:not-merged', { ...not, why: 'moved', isTold: false })).toEqual([]);
  expect(read('epic:not-merged', { ...not, why: 'verify', isTold: false })).toEqual([
    'needs-you cart needs-you:cannot be merged into e: x',
  ]);
  // The worker itself tells this under the same key, unless it was killed.
  const failed = { story: 'pay', kind: 'error', reason: 'killed' };
  expect(read('epic:ended', failed)).toEqual(['failed pay failed:s-1']);
  expect(read('epic:ended', { ...failed, kind: 'needs-you' })).toEqual([]);
});

test('a worker that waits for an answer tells the question once, at the beginning', () => {
  const finder = new NewsFinder('cart', 'story', 's');
  for (const it of BEGUN) finder.read(it);
  const waiting = event('answer:waiting', {
    ...{ until: '2026-11-15T10:00:00Z', reason: 'One? and Two?', titles: ['One?', 'Two?'] },
  });
  const [asked] = finder.read(waiting).news;
  expect(asked).toMatchObject({ on: 'needs-you', next: 'saga resolve cart' });
  const cause: SessionEnd['cause'] = { kind: 'blocker', titles: ['One?', 'Two?'] };
  expect(finder.readEnd({ kind: 'needs-you', cause, reason: '' })?.key).toBe(asked?.key);
});

test('what follows a run is new', () => {
  const finder = new NewsFinder('cart', 'story', 's');
  expect(finder.read(event('run:start', { cycle: 1, model: 'm', run: 'r' })).stale).toEqual([
    'cart',
  ]);
  expect(finder.read(GATE).stale).toEqual([]);
});

test('a worker that goes on to watch its pull request tells of the review at once, and not again at its end', () => {
  const finder = new NewsFinder('cart', 'story', 'saga-story-cart-1');
  for (const it of [...BEGUN, GATE]) finder.read(it);
  const { news } = finder.read(event('follow:start', { number: 7, rounds: 3 }));
  expect(news).toMatchObject([
    { on: 'in-review', title: 'cart is in review', next: 'saga diff cart', key: 'in-review:abc' },
  ]);
  const end = { kind: 'done', cause: { kind: 'done' }, reason: 'gate passed' } as const;
  expect(finder.readEnd(end)?.key).toBe('in-review:abc');
});
