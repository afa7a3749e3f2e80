import type { ChangeEvent } from '@saga-ai/types/screens/live';
import { expect, test } from 'vitest';
import { ChangeStream } from './change-stream.ts';

const change = (id: string): ChangeEvent => ({
  stories: [id],
  epics: [],
  sessions: [],
  problems: false,
});

const fail = (error: unknown) => {
  throw error;
};

test('what came after a number is known for a while', () => {
  const stream = new ChangeStream(100, fail, { remembered: 3 });
  expect(stream.since(100)).toEqual([]);
  for (const id of ['a', 'b', 'c', 'd']) stream.publish(change(id));
  expect(stream.last).toBe(104);
  expect(stream.since(104)).toEqual([]);
  expect(stream.since(103)).toEqual([{ id: 104, change: change('d') }]);
  expect(stream.since(101)?.map((it) => it.id)).toEqual([102, 103, 104]);
});

test.each([0, 99, 100, 105])('of %d it cannot be said what came after', (id) => {
  const stream = new ChangeStream(100, fail, { remembered: 3 });
  for (const name of ['a', 'b', 'c', 'd']) stream.publish(change(name));
  expect(stream.since(id)).toBeUndefined();
});

test('before the first change only the number of the start is known', () => {
  const stream = new ChangeStream(100, fail);
  expect(stream.since(99)).toBeUndefined();
  expect(stream.since(101)).toBeUndefined();
});

test('who has left hears no more', () => {
  const stream = new ChangeStream(0, fail);
  const heard: number[] = [];
  const leave = stream.listen(({ id }) => heard.push(id));
  stream.publish(change('a'));
  leave();
  stream.publish(change('b'));
  expect({ heard, listeners: stream.listeners }).toEqual({ heard: [1], listeners: 0 });
});

test('a listener that throws is reported, and the others are told', () => {
  const faults: unknown[] = [];
  const stream = new ChangeStream(0, (error) => faults.push(error));
  const heard: number[] = [];
  stream.listen(() => {
    throw new Error('broken');
  });
  stream.listen(({ id }) => heard.push(id));
  stream.publish(change('a'));
  expect({ heard, faults }).toEqual({ heard: [1], faults: [new Error('broken')] });
});
