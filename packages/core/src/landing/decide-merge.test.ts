import { expect, test } from 'vitest';
import type { PullRequestStatus } from '../forge/pull-request-status.ts';
import { decideMerge } from './decide-merge.ts';

const HEAD = 'a'.repeat(40);
const FINE: PullRequestStatus = {
  id: 'PR_7',
  number: 7,
  url: 'https://github.com/acme/widgets/pull/7',
  state: 'OPEN',
  isDraft: false,
  head: HEAD,
  base: 'main',
  mergeable: 'MERGEABLE',
  mergeState: 'CLEAN',
  reviewDecision: null,
  hasQueue: false,
  isInQueue: false,
  hasAutoMerge: false,
  allowed: { merge: true, squash: true, rebase: false, auto: false },
  checks: [],
};
const check = (name: string, state: 'passed' | 'failed' | 'pending') => ({ name, state });

test.each<[string, Partial<PullRequestStatus>, string]>([
  ['nothing is in the way', {}, 'merge'],
  ['all checks passed', { checks: [check('test', 'passed')] }, 'merge'],
  ['it is merged', { state: 'MERGED', head: 'b'.repeat(40) }, 'merged'],
  ['it was closed', { state: 'CLOSED' }, 'refuse: #7 was closed without a merge'],
  [
    'somebody pushed',
    { head: 'b'.repeat(40) },
    'refuse: #7 is at bbbbbbbbbbbb, but aaaaaaaaaaaa was checked',
  ],
  [
    'a check failed while another runs',
    { checks: [check('test', 'failed'), check('lint', 'pending')] },
    'refuse: checks of #7 failed: test',
  ],
  [
    'a check runs',
    { checks: [check('lint', 'pending')], mergeState: 'BLOCKED' },
    'wait: checks: lint',
  ],
  ['the branches conflict', { mergeable: 'CONFLICTING' }, 'refuse: #7 conflicts with main'],
  [
    'GitHub is still comparing',
    { mergeable: 'UNKNOWN' },
    'wait: GitHub, which is still comparing the branches',
  ],
  [
    'a reviewer is against it',
    { reviewDecision: 'CHANGES_REQUESTED' },
    'refuse: a reviewer of #7 requests changes',
  ],
  [
    'a review is missing',
    { reviewDecision: 'REVIEW_REQUIRED', mergeState: 'BLOCKED' },
    'refuse: the rules of main ask for an approving review of #7',
  ],
  [
    'the branch is behind',
    { mergeState: 'BEHIND' },
    'refuse: the rules of main ask for a branch that has all of main',
  ],
  ['a rule blocks, and nobody knows which', { mergeState: 'BLOCKED' }, 'wait: the rules of main'],
  ['there is a merge queue', { hasQueue: true, mergeState: 'BLOCKED' }, 'enqueue'],
  ['it is in the queue', { hasQueue: true, isInQueue: true }, 'wait: the merge queue'],
])('the next step of a merge: %s', (_, status, expected) => {
  const wish = { id: 'cart', isStory: true, head: HEAD, method: 'merge', blockedMs: 0 } as const;
  const step = decideMerge({ ...FINE, ...status }, wish);
  const more =
    step.kind === 'refuse' ? `: ${step.why}` : step.kind === 'wait' ? `: ${step.for}` : '';
  expect(`${step.kind}${more}`).toBe(expected);
});

test('a block without a reason is waited for two minutes, and a method that is not allowed is named', () => {
  const wish = { id: 'cart', isStory: true, head: HEAD, method: 'rebase', blockedMs: 0 } as const;
  const blocked = decideMerge({ ...FINE, mergeState: 'BLOCKED' }, { ...wish, blockedMs: 120_000 });
  expect(blocked).toMatchObject({
    kind: 'refuse',
    why: expect.stringContaining('do not allow the merge of #7'),
  });
  expect(decideMerge(FINE, wish)).toEqual({
    kind: 'refuse',
    why: 'the repository does not allow rebase as a way to merge',
    hint: 'Choose another way: saga config pullRequest.mergeMethod merge',
  });
});
