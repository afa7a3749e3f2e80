import { expect, test } from 'vitest';
import { KILL_POINTS, OTHER_FAULTS } from './list.ts';

test('every fault has an id of its own, and a worker is killed at 40 moments at least', () => {
  const ids = [...KILL_POINTS, ...OTHER_FAULTS].map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  expect(KILL_POINTS.length).toBeGreaterThanOrEqual(40);
});

test('only what a person deletes is lost', () => {
  const losing = [...KILL_POINTS, ...OTHER_FAULTS].filter(({ loses }) => loses !== undefined);
  expect(losing.map(({ id }) => id)).toEqual(['worktree deleted', 'worktree remade']);
});
