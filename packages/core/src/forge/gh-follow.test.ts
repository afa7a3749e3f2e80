import { expect, test } from 'vitest';
import { mayWrite } from './gh-follow.ts';
import { buildRefusal } from './gh-refusal.ts';
import type { GitHubApi } from './graphql.ts';

/** GitHub that answers one question, or lets gh fail with these words. */
const answering = (text: string): GitHubApi => ({
  ask: () => Promise.reject(new Error('nobody asks this')),
  read: async () => text,
});
const failing = (stderr: string): GitHubApi => ({
  ...answering(''),
  read: async () => {
    const rest = { signal: null, stdout: '', timedOut: false, wasStopped: false, isCut: false };
    throw buildRefusal({ ...rest, code: 1, stderr });
  },
});

test.each([
  ['{"permission":"admin","role_name":"admin"}', true],
  ['{"permission": "write"}', true],
  ['{"permission":"read"}', false],
  ['{"permission":"none","user":{"permission":"admin"}}', false],
])('who may write: %s', async (text, expected) => {
  expect(await mayWrite(answering(text), 'ada')).toBe(expected);
});

test('who is no collaborator may not write', async () => {
  expect(await mayWrite(failing('gh: Not Found (HTTP 404)'), 'bot')).toBe(false);
  const hidden = 'gh: Must have push access to view collaborator permission. (HTTP 403)';
  expect(await mayWrite(failing(hidden), 'ada')).toBe(false);
});

test('a limit of GitHub says nothing about a person, so it is asked again later', async () => {
  const limited = failing('gh: API rate limit exceeded for user ID 1. (HTTP 403)');
  await expect(mayWrite(limited, 'ada')).rejects.toThrow('rate limit');
});
