import { expect, test } from 'vitest';
import {
  deriveHistory,
  findCompletionTimes,
  type NotedStatus,
  type StoryHistory,
} from './derive-history.ts';

const NOW = 1_000_000;

const noted = (task: string, time: number, isCompleted = true): NotedStatus => ({
  story: 'cart',
  task,
  time,
  isCompleted,
});

test.each<[name: string, noted: NotedStatus[], times: Record<string, number>]>([
  ['once', [noted('a', 5)], { a: 5 }],
  ['first in the output file, then in git', [noted('a', 9), noted('a', 5)], { a: 5 }],
  ['opened again', [noted('a', 5), noted('a', 7, false)], {}],
  ['done again', [noted('a', 5), noted('a', 7, false), noted('a', 9)], { a: 9 }],
  ['two tasks', [noted('b', 6), noted('a', 5)], { a: 5, b: 6 }],
  [
    'a time that is none, or not yet',
    [noted('a', Number.NaN), noted('b', NOW + 1), noted('c', 0), noted('d', 5)],
    { d: 5 },
  ],
])('%s', (_, given, times) => {
  expect(Object.fromEntries(findCompletionTimes(given, NOW).get('cart') ?? [])).toEqual(times);
});

const story = (
  id: string,
  total: number,
  completed: number,
  times: Record<string, number>,
): StoryHistory => ({
  id,
  title: `Story ${id}`,
  progress: { completed, total },
  times: new Map(Object.entries(times)),
});

const at = (time: number) => new Date(time).toISOString();

test('tasks add up in the order of time, and a story is done with its last', () => {
  const stories = [story('a', 2, 2, { x: 1000, y: 3000 }), story('b', 2, 1, { x: 2000 })];
  expect(deriveHistory(stories)).toEqual({
    tasks: { completed: 3, total: 4 },
    stories: { completed: 1, total: 2 },
    undated: 0,
    points: [
      { time: at(1000), completed: 1 },
      { time: at(2000), completed: 2 },
      { time: at(3000), completed: 3, stories: [{ id: 'a', title: 'Story a' }] },
    ],
  });
});

test('what one commit tells is one point', () => {
  const stories = [story('a', 1, 1, { x: 1000 }), story('b', 1, 1, { x: 1000 })];
  expect(deriveHistory(stories).points).toEqual([
    {
      time: at(1000),
      completed: 2,
      stories: [
        { id: 'a', title: 'Story a' },
        { id: 'b', title: 'Story b' },
      ],
    },
  ]);
});

test('what has no time is counted from the beginning, and ends no story', () => {
  expect(deriveHistory([story('a', 3, 3, { x: 1000 })])).toMatchObject({
    undated: 2,
    points: [{ time: at(1000), completed: 3 }],
  });
  expect(deriveHistory([story('a', 3, 2, {})])).toMatchObject({ undated: 2, points: [] });
  expect(deriveHistory([])).toMatchObject({ undated: 0, points: [], tasks: { total: 0 } });
});

test('of very many points some are left out, but never the last', () => {
  const times = Object.fromEntries(Array.from({ length: 4321 }, (_, i) => [`t${i}`, 1 + i]));
  const { points } = deriveHistory([story('a', 4321, 4321, times)]);
  expect(points.length).toBeLessThanOrEqual(500);
  expect(points.at(-1)).toMatchObject({ completed: 4321, stories: [{ id: 'a' }] });
});

test('however many points there are, every story that was done is among them', () => {
  const stories = Array.from({ length: 200 }, (_, s) => {
    const tasks = Array.from({ length: 7 }, (_, t) => [`t${t}`, 1 + s * 7 + t] as const);
    return story(`s${s}`, 7, 7, Object.fromEntries(tasks));
  });
  const { points } = deriveHistory(stories);
  expect(points.flatMap((point) => point.stories ?? [])).toHaveLength(200);
  expect(points.length).toBeLessThan(800);
});
