import { EVENTS, type EventType } from '@saga-ai/types/run/event';
import { expect, test } from 'vitest';
import { movesBranches } from './moves-branches.ts';

const write = (type: EventType, fields: object = {}) =>
  JSON.stringify({ time: '2026-11-15T14:05:00.000Z', type, ...fields });

test('a push, a merge, an end and everything about a pull request move branches', () => {
  const types = Object.keys(EVENTS) as EventType[];
  const moving = types.filter((type) => movesBranches(write(type)));
  const pulls = types.filter((type) => type.startsWith('pull-request:'));
  expect(moving.toSorted()).toEqual(
    ['push:done', 'epic:merged', 'epic:branch', 'worker:end', ...pulls].toSorted(),
  );
});

test('a line that only quotes such an event moves none', () => {
  expect(movesBranches(write('run:text', { text: write('push:done') }))).toBe(false);
});
