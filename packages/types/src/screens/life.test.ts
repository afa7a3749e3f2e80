import { expect, test } from 'vitest';
import type { Waiting } from '../run/session-record.ts';
import { deriveLife, type LifeFacts, type LifeState } from './life.ts';

const OPEN = { pending: 2, in_progress: 0, completed: 0 };
const HALF = { pending: 1, in_progress: 0, completed: 1 };
const ALL = { pending: 0, in_progress: 0, completed: 2 };
const FRESH: LifeFacts = {
  id: 'cart',
  counts: OPEN,
  isInBase: false,
  blockers: [],
  feedback: [],
  answers: [],
  escalated: [],
  hasTwoCopies: false,
  hasBranch: false,
  isBroken: false,
  base: 'main',
  unmet: [],
};
const PASSED = { outcome: 'passed', failures: [], isCurrent: true, isUnverified: false } as const;
const FAILED = {
  ...PASSED,
  outcome: 'failed',
  failures: ['verify: npm test ended with code 1'],
} as const;
const waiting = (what: Waiting['for']): Waiting => ({
  for: what,
  until: '2026-11-15T14:05:00.000Z',
  reason: 'busy',
});
const PR = 'https://github.com/acme/shop/pull/12';

/** Parts of a life that only some rows have. */
const told = (facts: Partial<LifeFacts>) => {
  const { since, remedy, next } = deriveLife({ ...FRESH, ...facts });
  return { since, remedy, next };
};
const AT = '2026-01-02T00:00:00.000Z';
const HINT = 'Start claude and type /login.';
const ERROR = { outcome: 'error', reason: 'Failed.', hint: HINT, at: AT } as const;

test.each<[string, Partial<LifeFacts>, ReturnType<typeof told>]>([
  [
    'an error',
    { lastEnd: ERROR },
    { since: AT, remedy: `${HINT} Then go on: saga run cart`, next: 'saga logs cart' },
  ],
  [
    'a refused credential',
    { lastEnd: { ...ERROR, code: 'credential-refused' } },
    { since: AT, remedy: `${HINT} Then go on: saga run cart`, next: 'saga doctor' },
  ],
  [
    'a limit without progress is worth a look',
    { lastEnd: { outcome: 'limit', reason: '', limit: 'no-progress', at: AT } },
    { since: AT, remedy: undefined, next: 'saga logs cart' },
  ],
  [
    'a question',
    { blockers: ['Which?'], askedAt: AT, lastEnd: { ...ERROR, at: 'later' } },
    { since: AT, remedy: undefined, next: 'saga resolve cart' },
  ],
  [
    'a question of a run that goes on',
    { blockers: ['Which?'], askedAt: AT, worker: {} },
    { since: AT, remedy: undefined, next: 'saga resolve cart' },
  ],
  [
    'a failed gate',
    { counts: ALL, gate: { ...FAILED, at: AT } },
    { since: AT, remedy: undefined, next: 'saga verify cart' },
  ],
  [
    'in review',
    { counts: ALL, gate: { ...PASSED, at: AT }, pr: PR },
    { since: AT, remedy: undefined, next: `gh pr view ${PR} --web` },
  ],
  ['ready', {}, { since: undefined, remedy: undefined, next: 'saga run cart' }],
])('since when it waits, and what to do first: %s', (_, facts, expected) => {
  expect(told(facts)).toEqual(expected);
});

test.each<[string, Partial<LifeFacts>, LifeState, string, string | undefined]>([
  ['never begun', {}, 'ready', 'it can start now', 'saga run cart'],
  [
    'it waits',
    { unmet: [{ id: 'cart-model', state: 'in review', pr: PR }] },
    'waiting',
    'waits for cart-model: in review, #12',
    'saga show cart-model',
  ],
  [
    'no tasks',
    { counts: { pending: 0, in_progress: 0, completed: 0 } },
    'waiting',
    'it has no tasks',
    'saga task create "…" --story cart',
  ],
  [
    'at work',
    { hasBranch: true, worker: { task: 'Writing tests' } },
    'running',
    'Writing tests · 0/2 tasks',
    'saga logs -f cart',
  ],
  [
    'waiting for a limit',
    { hasBranch: true, worker: { waits: waiting('usage-limit') }, counts: HALF },
    'running',
    'waits for a usage limit until 2026-11-15 14:05 UTC · 1/2 tasks',
    'saga logs -f cart',
  ],
  [
    'waiting for the model',
    { hasBranch: true, worker: { waits: waiting('outage') }, counts: HALF },
    'running',
    'the model is not available; tries again at 2026-11-15 14:05 UTC · 1/2 tasks',
    'saga logs -f cart',
  ],
  [
    'a killed worker',
    { hasBranch: true, counts: HALF, lastEnd: { outcome: 'died', reason: '' } },
    'interrupted',
    'its worker was killed · 1/2 tasks',
    'saga run cart',
  ],
  [
    'stopped by a person',
    {
      hasBranch: true,
      counts: HALF,
      lastEnd: { outcome: 'stopped', reason: 'stopped on request' },
    },
    'interrupted',
    'stopped on request · 1/2 tasks',
    'saga run cart',
  ],
  [
    'stopped, for a reason that begins with another word',
    { hasBranch: true, lastEnd: { outcome: 'stopped', reason: 'forgotten: it may still run' } },
    'interrupted',
    'forgotten: it may still run · 0/2 tasks',
    'saga run cart',
  ],
  [
    'an error whose message begins with the word for it',
    { hasBranch: true, lastEnd: { outcome: 'error', reason: 'errors.ts is missing.' } },
    'interrupted',
    'error: errors.ts is missing. · 0/2 tasks',
    'saga logs cart',
  ],
  [
    'stopped, while the base moved on',
    { hasBranch: true, behind: 24, lastEnd: { outcome: 'stopped', reason: '' } },
    'interrupted',
    'stopped · 0/2 tasks · 24 behind main',
    'saga run cart',
  ],
  [
    'in review, while the base moved on',
    { hasBranch: true, behind: 1, counts: ALL, gate: PASSED, pr: PR },
    'in review',
    'gate passed, #12, 1 behind main',
    `gh pr view ${PR} --web`,
  ],
  [
    'a limit',
    { hasBranch: true, lastEnd: { outcome: 'limit', reason: 'the time is up' } },
    'interrupted',
    'a limit was reached: the time is up · 0/2 tasks',
    'saga run cart',
  ],
  [
    'an error before there was a branch',
    { lastEnd: { outcome: 'error', reason: 'The setup command failed (code 1).' } },
    'interrupted',
    'error: The setup command failed (code 1). · 0/2 tasks',
    'saga logs cart',
  ],
  [
    'a refused credential',
    { lastEnd: { outcome: 'error', reason: 'Not logged in.', code: 'credential-refused' } },
    'needs you',
    'Not logged in.',
    'saga doctor',
  ],
  [
    'only a branch, on the remote',
    { hasBranch: true },
    'interrupted',
    'started, but no worker is running · 0/2 tasks',
    'saga run cart',
  ],
  [
    'done, but its worktree and its branch are gone',
    { lastEnd: { outcome: 'done', reason: 'gate passed' } },
    'interrupted',
    'finished, but its branch story/cart is gone · 0/2 tasks',
    'saga run cart',
  ],
  [
    'done, but nobody can read what its branch says',
    { hasBranch: true, lastEnd: { outcome: 'done', reason: 'gate passed' } },
    'interrupted',
    'finished, but the branch story/cart has no sound copy of its plan · 0/2 tasks',
    'saga run cart',
  ],
  [
    'in review on a branch that is only on the remote',
    { counts: ALL, gate: PASSED, hasBranch: true },
    'in review',
    'gate passed',
    'saga diff cart',
  ],
  [
    'closed by hand',
    { counts: ALL },
    'interrupted',
    'completed, but not checked · 2/2 tasks',
    'saga run cart',
  ],
  [
    'a question',
    { blockers: ['Which?', 'And?'] },
    'needs you',
    'open question: Which?, and 1 more',
    'saga resolve cart',
  ],
  [
    'tried too often',
    { escalated: ['store'], counts: HALF },
    'needs you',
    'tried too often: store',
    'saga task reopen --story cart store',
  ],
  [
    'a failed gate',
    { counts: ALL, gate: FAILED },
    'needs you',
    'gate failed: verify: npm test ended with code 1',
    'saga verify cart',
  ],
  [
    'two copies',
    { hasTwoCopies: true, hasBranch: true },
    'needs you',
    'its plan was edited in the main checkout only',
    'saga update cart',
  ],
  [
    'a gate with several failures',
    {
      counts: ALL,
      hasBranch: true,
      gate: { ...FAILED, failures: ['not in writeFiles: a.md, b.md', 'tests failed', 'left'] },
    },
    'needs you',
    'gate failed: not in writeFiles: a.md, b.md; 2 more checks failed',
    'saga verify cart',
  ],
  [
    'a failed gate, and feedback for the next run',
    { counts: ALL, gate: FAILED, hasBranch: true, feedback: ['Round the totals'] },
    'interrupted',
    'feedback for the next run: Round the totals · 2/2 tasks',
    'saga run cart',
  ],
  [
    'feedback in review',
    {
      counts: ALL,
      gate: PASSED,
      pr: PR,
      feedback: ['Rename it', 'And that'],
      lastEnd: { outcome: 'done', reason: 'all tasks completed, gate passed' },
    },
    'interrupted',
    'feedback for the next run: Rename it, and 1 more · 2/2 tasks',
    'saga run cart',
  ],
  [
    'feedback, and the run with it was stopped',
    {
      counts: ALL,
      gate: PASSED,
      feedback: ['Rename it'],
      lastEnd: { outcome: 'died', reason: '' },
    },
    'interrupted',
    'its worker was killed · 2/2 tasks',
    'saga run cart',
  ],
  [
    'feedback on a story that nobody began',
    { feedback: ['Rename it'] },
    'ready',
    'it can start now',
    'saga run cart',
  ],
  ['broken', { isBroken: true }, 'needs you', 'one of its files cannot be read', 'saga check'],
  [
    'in review',
    { counts: ALL, gate: PASSED, pr: PR, hasBranch: true },
    'in review',
    'gate passed, #12',
    `gh pr view ${PR} --web`,
  ],
  [
    'in review while a worker waits for checks',
    { counts: ALL, gate: PASSED, pr: PR, hasBranch: true, following: { number: 12, checks: 1 } },
    'in review',
    'gate passed, #12, a worker waits for 1 check of #12',
    `gh pr view ${PR} --web`,
  ],
  [
    'in review without GitHub',
    { counts: ALL, gate: { ...PASSED, isUnverified: true } },
    'in review',
    'gate passed (unverified)',
    'saga diff cart',
  ],
  [
    'changed since its gate',
    { counts: ALL, gate: { ...PASSED, isCurrent: false } },
    'interrupted',
    'changed since its gate passed · 2/2 tasks',
    'saga run cart',
  ],
  [
    'merged',
    { counts: ALL, gate: PASSED, isInBase: true, hasBranch: true },
    'done',
    'gate passed, merged into main',
    undefined,
  ],
  [
    'merged, and a task was opened again',
    { counts: HALF, gate: PASSED, isInBase: true },
    'interrupted',
    'started, but no worker is running · 1/2 tasks',
    'saga run cart',
  ],
  [
    'merged, and gone on with',
    { counts: HALF, isInBase: true, worker: {} },
    'running',
    'at work · 1/2 tasks',
    'saga logs -f cart',
  ],
])('%s', (_, facts, state, reason, next) => {
  const life = deriveLife({ ...FRESH, ...facts });
  expect({ ...life, remedy: undefined }).toEqual({ state, reason, next });
});
