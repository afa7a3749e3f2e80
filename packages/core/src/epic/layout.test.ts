import { expect, test } from 'vitest';
import { findDownstream, layOut } from './layout.ts';

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
