import type { JobState, Machine } from '@saga-ai/core/fleet/engine';
import { expect, test } from 'vitest';
import { explainWait } from './explain-wait.ts';

const URL = 'https://github.com/you/shop';
const machine = (name: string, fields: Partial<Machine> = {}): Machine => ({
  name,
  labels: ['_saga-0.1'],
  repositories: [URL],
  jobs: 1,
  sagaVersion: '0.1.0',
  clientVersion: '2.1.0',
  since: '2026-11-15T14:00:00Z',
  seenAt: '2026-11-15T14:00:00Z',
  wish: 'work',
  isAlive: true,
  ...fields,
});
const active = (id: string, on: string): JobState => ({
  id,
  kind: 'story',
  state: 'active',
  needs: [],
  by: 'me',
  queuedAt: '2026-11-15T14:00:00Z',
  machine: on,
});

test.each<[string, string[], Machine[], JobState[], string | undefined]>([
  ['nobody', [], [], [], 'no machine is there; start one: saga agent'],
  [
    'a dead machine',
    [],
    [machine('a', { isAlive: false })],
    [],
    'no machine is there; start one: saga agent',
  ],
  [
    'another repository',
    [],
    [machine('a', { repositories: ['https://github.com/you/other'] })],
    [],
    'no machine works on this repository; start one: saga agent',
  ],
  [
    'another version',
    [],
    [machine('a', { labels: ['_saga-0.2'], sagaVersion: '0.2.1' })],
    [],
    'it was handed over by SAGA 0.1, and the machines have 0.2.1; versions must agree in their first two numbers',
  ],
  ['a label', ['gpu'], [machine('a')], [], 'no machine has the label gpu'],
  [
    'labels on two machines',
    ['gpu', 'linux'],
    [
      machine('a', { labels: ['_saga-0.1', 'gpu'] }),
      machine('b', { labels: ['_saga-0.1', 'linux'] }),
    ],
    [],
    'no machine has all of the labels gpu, linux',
  ],
  ['a pause', [], [machine('a', { wish: 'paused' })], [], 'a takes no new work; saga fleet resume'],
  ['one busy machine', [], [machine('a')], [active('x', 'a')], 'a is busy'],
  [
    'busy machines',
    [],
    [machine('a'), machine('b')],
    [active('x', 'a'), active('y', 'b')],
    'all 2 machines are busy',
  ],
  ['nothing', [], [machine('a'), machine('b')], [active('x', 'a')], undefined],
])('it waits because of %s', (_, labels, machines, jobs, words) => {
  const job = { kind: 'story', needs: [...labels, '_saga-0.1'] } as const;
  expect(explainWait(job, machines, jobs, URL)).toBe(words);
});

test('a scheduler does not wait for machines that are busy with stories', () => {
  expect(
    explainWait({ kind: 'epic', needs: ['_saga-0.1'] }, [machine('a')], [active('x', 'a')], URL),
  ).toBeUndefined();
});
