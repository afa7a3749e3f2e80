import { expect, test } from 'vitest';
import { countStatuses, deriveProgress, deriveStatus, type Status } from './status.ts';

test.each<[Status[], Status]>([
  [[], 'pending'],
  [['pending'], 'pending'],
  [['completed', 'pending'], 'pending'],
  [['completed'], 'completed'],
  [['completed', 'completed'], 'completed'],
  [['in_progress', 'completed', 'pending'], 'in_progress'],
])('%j is %s', (statuses, expected) => {
  const counts = countStatuses(statuses);
  expect(deriveStatus(counts)).toBe(expected);
  expect(deriveProgress(counts)).toEqual({
    completed: statuses.filter((it) => it === 'completed').length,
    total: statuses.length,
  });
});
