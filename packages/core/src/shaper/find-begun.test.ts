import type { StoryView } from '@saga-ai/types/screens/overview';
import { expect, test } from 'vitest';
import { findBegun } from './find-begun.ts';

const FRESH = {
  ...{ id: 'a', status: 'pending', state: 'ready', running: false, ended: null, branch: null },
  home: '.saga/stories/a',
} as StoryView;

test.each<[string, Partial<StoryView>, boolean]>([
  ['nobody worked on it', {}, false],
  ['it waits for another', { state: 'waiting' }, false],
  ['it has an open question of a person who plans', { state: 'needs you' }, false],
  ['a task was taken up', { status: 'in_progress' }, true],
  ['all tasks are completed', { status: 'completed' }, true],
  ['a worker works on it', { running: true, state: 'running' }, true],
  ['a worker ended', { ended: 'error', state: 'needs you' }, true],
  ['it has a branch', { branch: 'story/a' }, true],
  ['it lives in a worktree', { home: '../project.stories/a/.saga/stories/a' }, true],
  ['it is merged', { state: 'done' }, true],
])('%s', (_, view, hasBegun) => {
  expect(findBegun([{ ...FRESH, ...view }]).has('a')).toBe(hasBegun);
});
