import { expect, test } from 'vitest';
import { findDownstream, layOut, layOutAgain } from './layout.ts';

const child = (id: string, ...blockedBy: string[]) => ({ id, blockedBy });
const EPICS = new Map([
  ['shop', { children: [child('model'), child('till', 'model'), child('docs', 'till')] }],
  ['till', { children: [child('pay'), child('print', 'pay')] }],
]);

test('what is inside an inner epic needs what the epic needs, and may write what the story may', () => {
  const writes = (id: string) => (id === 'pay' ? ['src/pay/**'] : []);
  const items = layOut('shop', EPICS, writes);
  expect(items.map(({ id, kind, epic, needs }) => [id, kind, epic, needs])).toEqual([
    ['model', 'story', 'shop', []],
    ['till', 'epic', 'shop', ['model']],
    ['pay', 'story', 'till', ['model']],
    ['print', 'story', 'till', ['model', 'pay']],
    ['docs', 'story', 'shop', ['till']],
  ]);
  expect(items.filter((it) => it.writes.length > 0).map((it) => it.id)).toEqual(['pay']);
});

test('an epic that contains itself, or that is not there, ends the search', () => {
  const circle = new Map([
    ['a', { children: [child('b'), child('x')] }],
    ['b', { children: [child('a'), child('y')] }],
  ]);
  expect(layOut('a', circle).map((it) => it.id)).toEqual(['b', 'y', 'x']);
  expect(layOut('nowhere', circle)).toEqual([]);
});

test('what waits for an item is found through epics, too', () => {
  const items = layOut('shop', EPICS);
  expect([...findDownstream('pay', items)].toSorted()).toEqual(['pay', 'print']);
  expect([...findDownstream('till', items)].toSorted()).toEqual(['docs', 'pay', 'print', 'till']);
});

test('a plan that changes while it is carried out: what is gone is known, and an epic that cannot be read is not gone', () => {
  const plan = (epics: Record<string, Record<string, string[]>>) =>
    new Map(
      Object.entries(epics).map(([id, children]) => [
        id,
        { children: Object.entries(children).map(([child, by]) => ({ id: child, blockedBy: by })) },
      ]),
    );
  const before = layOut('top', plan({ top: { low: [], c: ['low'] }, low: { a: [], b: ['a'] } }));
  const look = (epics: Parameters<typeof plan>[0]) =>
    layOutAgain('top', before, plan(epics)).map(({ id, needs, isPlanned = true }) =>
      isPlanned ? `${id} ${needs.join()}`.trim() : `${id} is gone`,
    );
  const asBefore = ['low', 'a', 'b a', 'c low'];
  expect(look({ top: { low: [], c: ['low'] }, low: { a: [], b: ['a'] } })).toEqual(asBefore);
  // What is new is left to the next run.
  expect(look({ top: { low: [], c: ['new'], new: [] }, low: { b: [] } })).toEqual([
    ...['low', 'a is gone', 'b', 'c'],
  ]);
  expect(look({ top: { low: [], c: [] } })).toEqual(asBefore);
  expect(look({ low: { a: [] } })).toEqual(asBefore);
});
