import { expect, test } from 'vitest';
import type { EpicView } from '../overview.ts';
import { deriveEpicCalls, type SchedulerFacts } from './epic-calls.ts';

const AT = '2026-01-01T00:00:00.000Z';

const epic = (id: string, more: Partial<EpicView> = {}): EpicView => ({
  ...{ id, title: id, epic: null, status: 'completed', state: 'in review', ready: true },
  ...{ blockedBy: [], progress: { completed: 2, total: 2 }, inReview: 0 },
  children: ['a', 'b'].map((it) => ({ id: it, blockedBy: [] })),
  ...{ branch: null, pr: null, labels: [] },
  ...more,
});
const callsOf = (epics: EpicView[], runs: Record<string, SchedulerFacts['state']> = {}) =>
  deriveEpicCalls(epics, (id) => {
    const state = runs[id];
    return state && { state, at: state === 'running' ? null : AT };
  }).map(({ epic: { id }, state, next, since }) => [id, state, next, since]);
const HALF = { state: 'in review', progress: { completed: 1, total: 2 } } as const;

test('an epic whose stories are all in its branch waits to be landed, once its scheduler has ended', () => {
  expect(callsOf([epic('shop')])).toEqual([['shop', 'in review', 'saga land shop', null]]);
  expect(callsOf([epic('shop')], { shop: 'ended' })).toEqual([
    ['shop', 'in review', 'saga land shop', AT],
  ]);
  expect(callsOf([epic('shop')], { shop: 'running' })).toEqual([]);
  expect(callsOf([epic('shop', HALF)])).toEqual([]);
  expect(callsOf([epic('shop', { state: 'done' })])).toEqual([]);
});

test('of an epic in an epic the inner one is landed first, and by the scheduler around it if that runs', () => {
  const inside = epic('inner', { epic: 'outer' });
  const outside = epic('outer', { children: [{ id: 'inner', blockedBy: [] }] });
  expect(callsOf([outside, inside])).toEqual([['inner', 'in review', 'saga land inner', null]]);
  expect(callsOf([outside, inside], { outer: 'running' })).toEqual([]);
  expect(callsOf([outside, { ...inside, state: 'done' }])).toEqual([
    ['outer', 'in review', 'saga land outer', null],
  ]);
});

test('an epic whose scheduler was killed waits for a person, unless it is done or only to be landed', () => {
  expect(callsOf([epic('shop', HALF)], { shop: 'died' })).toEqual([
    ['shop', 'interrupted', 'saga run shop', AT],
  ]);
  expect(callsOf([epic('shop', HALF)], { shop: 'ended' })).toEqual([]);
  expect(callsOf([epic('shop', { state: 'done' })], { shop: 'died' })).toEqual([]);
  expect(callsOf([epic('shop')], { shop: 'died' })).toEqual([
    ['shop', 'in review', 'saga land shop', AT],
  ]);
});
