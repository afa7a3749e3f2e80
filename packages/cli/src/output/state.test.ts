import { expect, test } from 'vitest';
import { formatBar, formatProgress, stateOfTask } from './state.ts';

test.each([
  [0, 0, '░░░░░░░░░░░░'],
  [0, 3, '░░░░░░░░░░░░'],
  [1, 3, '████░░░░░░░░'],
  // Not full before all is done.
  [99, 100, '███████████░'],
  [3, 3, '████████████'],
])('%i of %i', (completed, total, bar) => {
  expect(formatBar({ completed, total })).toBe(bar);
  expect(formatProgress({ completed, total })).toBe(`${completed}/${total}`);
});

test('a task that waits looks other than one that may begin', () => {
  expect(stateOfTask('pending', true).word).toBe('waiting');
  expect(stateOfTask('pending', false).word).toBe('pending');
  expect(stateOfTask('completed', true).word).toBe('done');
});
