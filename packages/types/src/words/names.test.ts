import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ID_PATTERN } from '../plan/ids.ts';
import * as names from './names.ts';

const id = fc.stringMatching(ID_PATTERN).filter((text) => text.length <= 64);
const stamped = fc.record({ storyId: id, timestamp: fc.nat({ max: Number.MAX_SAFE_INTEGER }) });

test('what is formatted is parsed back', () => {
  fc.assert(
    fc.property(id, (storyId) => {
      expect(names.parseStoryBranch(names.formatStoryBranch(storyId))).toBe(storyId);
      expect(names.parseEpicBranch(names.formatEpicBranch(storyId))).toBe(storyId);
    }),
  );
  fc.assert(
    fc.property(stamped, (name) => {
      expect(names.parseSession(names.formatSession(name))).toEqual(name);
      expect(names.parseTaskListId(names.formatTaskListId(name))).toEqual(name);
    }),
  );
});

test('the forms are those of the specification', () => {
  const name = { storyId: 'auth-setup-db', timestamp: 1707000123456 };
  expect(names.formatStoryBranch('auth-setup-db')).toBe('story/auth-setup-db');
  expect(names.formatEpicBranch('auth')).toBe('epic/auth');
  expect(names.formatSession(name)).toBe('saga-story-auth-setup-db-1707000123456');
  expect(names.formatTaskListId(name)).toBe('saga__auth-setup-db__1707000123456');
});

test.each(['story/Cart', 'story/a/b', 'story/', 'feature/x', 'refs/heads/story/x'])(
  '%s is no story branch',
  (branch) => {
    expect(names.parseStoryBranch(branch)).toBeUndefined();
  },
);

test.each(['saga-story-x', 'saga-story--1', 'saga-story-x-007', 'other-x-1'])(
  '%s is no session',
  (name) => {
    expect(names.parseSession(name)).toBeUndefined();
  },
);
