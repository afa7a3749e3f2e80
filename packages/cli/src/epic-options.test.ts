import { expect, test } from 'vitest';
import { chooseJobs, readEpicOptions } from './epic-options.ts';

const GIB = 2 ** 30;

test.each([
  [{ processors: 8, load: 0.4, freeMemory: 32 * GIB }, 8],
  [{ processors: 8, load: 5.2, freeMemory: 32 * GIB }, 3],
  [{ processors: 16, load: 0, freeMemory: 4 * GIB }, 2],
  [{ processors: 2, load: 30, freeMemory: GIB / 2 }, 1],
])('as many stories as the machine can take: %j', (machine, jobs) => {
  expect(chooseJobs(machine)).toBe(jobs);
});

const items = ['a', 'b', 'c'].map((id, i) => ({
  id,
  kind: 'story' as const,
  epic: 'shop',
  needs: i === 0 ? [] : ['a'],
  writes: [],
}));
const CONFIG = { epic: { jobs: 2, failFast: false, integrate: 'branch', verify: null } };

function read(texts: Record<string, string>, only: string[] = []) {
  const invocation = {
    text: (name: string) => texts[name],
    texts: (name: string) => (name === 'only' ? only : []),
    flag: () => false,
  };
  return readEpicOptions(invocation, CONFIG as never, items);
}

test('options of an epic', () => {
  expect(read({})).toMatchObject({ jobs: 2, failFast: false, noWait: false, flags: {} });
  expect(read({}, ['b,c']).chosen).toEqual(new Set(['b', 'c']));
  expect(read({ from: 'a' }).chosen).toEqual(new Set(['a', 'b', 'c']));
  expect(read({ 'budget-usd': '2.5', model: 'haiku' })).toMatchObject({
    budgetUsd: 2.5,
    flags: { 'worker.model': 'haiku' },
  });
  expect(() => read({ jobs: '0' })).toThrow('--jobs is 0, but must be a number above zero.');
  expect(() => read({}, ['z'])).toThrow('z is not a part of this epic.');
});
