import { expect, test } from 'vitest';
import { describeFleet } from './describe-fleet.ts';
import type { JobState, Machine } from './engine.ts';

const here = { key: 'r', url: 'https://git.example/r' };

function machine(name: string, more: Partial<Machine> = {}): Machine {
  return {
    name,
    labels: [],
    repositories: [here],
    jobs: 2,
    busy: 0,
    sagaVersion: '0.1.4',
    clientVersion: '2.1.325',
    since: '2026-01-01T00:00:00.000Z',
    seenAt: '2026-01-01T00:00:00.000Z',
    wish: 'work',
    isAlive: true,
    ...more,
  };
}

function job(id: string, more: Partial<JobState> = {}): JobState {
  return {
    id,
    kind: 'story',
    state: 'queued',
    needs: ['_saga-0.1'],
    by: 'desk',
    queuedAt: '2026-01-01T00:00:00.000Z',
    ...more,
  };
}

test.each<[string, Partial<JobState>, Machine[], RegExp]>([
  ['nobody is there', {}, [], /no machine works for this repository.*saga agent/],
  ['all are lost', {}, [machine('a', { isAlive: false })], /no machine works/],
  ['one was removed', {}, [machine('a', { wish: 'removed' })], /no machine works/],
  [
    'a label is missing',
    { needs: ['gpu', '_saga-0.1'] },
    [machine('a', { labels: ['linux'] })],
    /the label gpu.*--label gpu/,
  ],
  [
    'no machine has both labels',
    { needs: ['gpu', 'arm'] },
    [machine('a', { labels: ['gpu'] }), machine('b', { labels: ['arm'] })],
    /all of the labels gpu, arm/,
  ],
  [
    'another version',
    {},
    [machine('a', { sagaVersion: '0.2.0' })],
    /needs SAGA 0\.1, and the machines that fit have 0\.2\.0/,
  ],
  ['paused', {}, [machine('a', { wish: 'paused' })], /a \(paused\); saga fleet resume a/],
  [
    'full',
    {},
    [
      machine('a', { trouble: 'its disk is full: 3 MB free in /d' }),
      machine('b', { wish: 'paused' }),
    ],
    /a \(its disk is full: 3 MB free in \/d\), b \(paused\); put that right there/,
  ],
  [
    'one is full, another one has room',
    {},
    [machine('a', { trouble: 'its disk is full' }), machine('b', { busy: 2 })],
    /all 2 slots of b are taken/,
  ],
  ['busy', {}, [machine('a', { busy: 2 })], /all 2 slots of a are taken/],
  ['busy, one slot', {}, [machine('a', { busy: 1, jobs: 1 })], /the only slot of a is taken/],
  ['an epic needs no slot', { kind: 'epic' }, [machine('a', { busy: 2 })], /takes it in a moment/],
  ['free', {}, [machine('a', { busy: 1 })], /takes it in a moment/],
])('%s', (_, more, machines, words) => {
  const { waiting } = describeFleet(machines, [job('cart', more)], 'r');
  expect(waiting[0]?.why).toMatch(words);
});

test('who works on what, what waits, and what ended, the newest first', () => {
  const end = { kind: 'done', reason: 'all done', exitCode: 0 } as const;
  const view = describeFleet(
    [
      machine('anna', { busy: 1, labels: ['gpu', '_saga-0.1'] }),
      machine('bert', { repositories: [] }),
      machine('carl', { trouble: 'its disk is full' }),
      machine('dora', { trouble: 'its disk is full', isAlive: false }),
    ],
    [
      job('late', { queuedAt: '2026-01-02T00:00:00.000Z' }),
      job('early'),
      job('cart', {
        state: 'active',
        machine: 'anna',
        lease: 7,
        takenAt: '2026-01-01T00:01:00.000Z',
      }),
      job('old', { state: 'ended', machine: 'anna', endedAt: '2026-01-01T00:00:00.000Z', end }),
      job('new', { state: 'ended', machine: 'anna', endedAt: '2026-01-03T00:00:00.000Z', end }),
    ],
    'r',
  );
  expect(view.machines).toMatchObject([
    {
      name: 'anna',
      state: 'working',
      labels: ['gpu'],
      isForUs: true,
      items: [{ id: 'cart', lease: 7 }],
    },
    { name: 'bert', state: 'idle', trouble: null, isForUs: false, items: [] },
    { name: 'carl', state: 'unfit', trouble: 'its disk is full' },
    { name: 'dora', state: 'lost', trouble: null },
  ]);
  expect(view.waiting.map(({ id, needs }) => [id, needs])).toEqual([
    ['early', []],
    ['late', []],
  ]);
  expect(view.ended.map(({ id }) => id)).toEqual(['new', 'old']);
});
