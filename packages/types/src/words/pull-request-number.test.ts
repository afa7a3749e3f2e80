import { expect, test } from 'vitest';
import { formatPullRequest, parsePullRequestNumber } from './pull-request-number.ts';

test.each<[string, number | undefined]>([
  ['https://github.com/acme/shop/pull/12', 12],
  ['https://github.com/acme/shop/pull/12/', 12],
  ['https://github.com/acme/shop/pull/12/files', 12],
  ['https://github.com/acme/shop/pull/12/commits/34', 12],
  ['https://github.com/acme/shop/pull/12#discussion_r7', 12],
  ['https://github.com/acme/shop/pull/12?w=1', 12],
  ['https://git.acme.example/acme/shop/-/merge_requests/7', 7],
  ['https://github.com/acme/shop/pull/new', undefined],
  ['https://github.com/acme/shop/pull/12th', undefined],
  ['https://github.com/acme/shop2', undefined],
  ['', undefined],
])('%s', (address, number) => {
  expect(parsePullRequestNumber(address)).toBe(number);
  expect(formatPullRequest(address)).toBe(number === undefined ? address : `#${number}`);
});
