import { expect, test } from 'vitest';
import type { ProgramResult } from '../processes/run.ts';
import { type AnswerError, buildAnswerRefusal, buildRefusal, type GhCause } from './gh-refusal.ts';

const ended = (more: Partial<ProgramResult>): ProgramResult => ({
  ...{ code: 1, signal: null, stdout: '', stderr: '' },
  ...{ timedOut: false, wasStopped: false, isCut: false },
  ...more,
});

const NO_LOGIN = 'gh is not logged in: gh auth login';

/** What gh 2.23 prints, to the letter; of other versions where a line says so. The last column is what a person reads. */
const PRINTED: readonly [stderr: string, cause: GhCause, said?: string][] = [
  ['no git remotes found\n', 'nowhere', 'no remote is on GitHub'],
  [
    'none of the git remotes configured for this repository point to a known GitHub host. To tell gh about a new GitHub host, please use `gh auth login`\n',
    'nowhere',
    'no remote is on GitHub',
  ],
  [
    'none of the git remotes configured for this repository correspond to the GH_HOST environment variable. Try adding a matching remote or unsetting the variable.\n',
    'nowhere',
    'no remote is on GitHub',
  ],
  [
    'HTTP 401: Bad credentials (https://api.github.com/graphql)\nTry authenticating with:  gh auth login\n',
    'no-login',
    NO_LOGIN,
  ],
  ['gh: Bad credentials (HTTP 401)\n', 'no-login', NO_LOGIN],
  [
    'error connecting to api.github.com\ncheck your internet connection or https://githubstatus.com\n',
    'unreachable',
    'GitHub cannot be reached: error connecting to api.github.com · check your internet connection or https://githubstatus.com',
  ],
  [
    'Post "https://api.github.com/graphql": proxyconnect tcp: dial tcp 127.0.0.1:9: connect: connection refused\n',
    'unreachable',
    'GitHub cannot be reached: Post "https://api.github.com/graphql": proxyconnect tcp: dial tcp 127.0.0.1:9: connect: connection refused',
  ],
  [
    'HTTP 403: API rate limit exceeded for user ID 1. (https://api.github.com/graphql)\n',
    'too-often',
  ],
  ['gh: API rate limit exceeded for user ID 1. (HTTP 403)\n', 'too-often'],
  [
    'gh: You have exceeded a secondary rate limit. Please wait a few minutes before you try again. (HTTP 403)\n',
    'too-often',
  ],
  [
    'GraphQL: API rate limit exceeded for user ID 1.\n',
    'too-often',
    'GraphQL: API rate limit exceeded for user ID 1',
  ],
  ['HTTP 429: Too many requests (https://api.github.com/graphql)\n', 'too-often'],
  ['gh: Too many requests (HTTP 429)\n', 'too-often'],
  ['HTTP 502: 502 Bad Gateway (https://api.github.com/graphql)\n', 'server'],
  ['gh: HTTP 503\n', 'server'],
  // Not of 2.23: SAGA knew this text from an older version.
  ['non-200 OK status code: 502 Bad Gateway body: ""\n', 'server'],
  ['gh: Must have push access to view collaborator permission. (HTTP 403)\n', 'denied'],
  ['gh: Not Found (HTTP 404)\n', 'denied'],
  ['gh: Validation Failed (HTTP 422)\n', 'other'],
  ['Post "https://api.github.com/graphql": EOF\n', 'other'],
  [
    'failed to run git: fatal: not a git repository (or any of the parent directories): .git\n\n',
    'other',
  ],
  [
    "GraphQL: Could not resolve to a Repository with the name 'acme/widgets'. (repository)\n",
    'other',
  ],
  ['', 'other', 'exit code 1'],
];

test.each(PRINTED)('%s', (stderr, cause, said = stderr.trim()) => {
  const refusal = buildRefusal(ended({ stderr }));
  expect({ cause: refusal.cause, said: refusal.message }).toEqual({ cause, said });
});

test.each<[string, Partial<ProgramResult>, GhCause, string]>([
  [
    'an exit code that asks for a login',
    {
      code: 4,
      stderr: 'To get started with GitHub CLI, please run:  gh auth login\nAlternatively, …',
    },
    'no-login',
    NO_LOGIN,
  ],
  [
    'a time that is up',
    { code: null, timedOut: true, stderr: 'HTTP 502' },
    'timeout',
    'it took too long and was stopped',
  ],
  ['a stop', { code: null, wasStopped: true }, 'other', 'it was stopped'],
  [
    'too long an answer',
    { code: 0, isCut: true, stdout: 'x' },
    'other',
    'gh printed more than SAGA can read',
  ],
])('%s', (_, result, cause, said) => {
  const refusal = buildRefusal(ended(result));
  expect({ cause: refusal.cause, said: refusal.message }).toEqual({ cause, said });
});

test.each<[AnswerError, GhCause]>([
  [{ type: 'RATE_LIMITED', message: 'API rate limit exceeded for user ID 1.' }, 'too-often'],
  [{ message: 'You have exceeded a secondary rate limit.' }, 'too-often'],
  [
    { type: 'NOT_FOUND', message: "Could not resolve to a Repository with the name 'acme/w'." },
    'denied',
  ],
  [{ type: 'FORBIDDEN', message: 'Resource not accessible by personal access token' }, 'denied'],
  [
    {
      message: "Field 'isMergeQueueEnabled' doesn't exist on type 'PullRequest'",
      extensions: { code: 'undefinedField' },
    },
    'unknown-field',
  ],
  [{ message: "Field 'isInMergeQueue' doesn't exist on type 'PullRequest'" }, 'unknown-field'],
  [{ type: 'UNPROCESSABLE', message: 'Head branch was modified.' }, 'other'],
])('an answer of GraphQL: %o', (error, cause) => {
  const refusal = buildAnswerRefusal(error);
  expect({ cause: refusal.cause, said: refusal.message }).toEqual({ cause, said: error.message });
});
