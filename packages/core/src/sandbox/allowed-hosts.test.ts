import { describe, expect, test } from 'vitest';
import { isAllowedHost, isExempt, listAllowedHosts, listLoopbackPorts } from './allowed-hosts.ts';

const MODEL = ['https://api.example.com', 'http://127.0.0.1:4000/v1', 'not an address'];
const DOMAINS = [
  'registry.example.org',
  '*.cdn.example.org',
  'git.example.org:22',
  'localhost:5432',
];

test('an open network has no list', () => {
  expect(listAllowedHosts({ network: 'open', domains: DOMAINS }, MODEL)).toBeUndefined();
});

describe.each([
  // host, port, with model, with list
  ['api.example.com', 443, true, true],
  ['API.example.com.', 443, true, true],
  ['api.example.com', 80, false, false],
  ['evil-api.example.com', 443, false, false],
  ['api.example.com.evil.example', 443, false, false],
  ['127.0.0.1', 4000, true, true],
  ['localhost', 4000, true, true],
  ['127.0.0.1', 4001, false, false],
  ['registry.example.org', 443, false, true],
  ['registry.example.org', 80, false, true],
  ['registry.example.org', 22, false, false],
  ['a.registry.example.org', 443, false, false],
  ['a.cdn.example.org', 443, false, true],
  ['a.b.cdn.example.org', 443, false, true],
  ['cdn.example.org', 443, false, false],
  ['evilcdn.example.org', 443, false, false],
  ['git.example.org', 22, false, true],
  ['git.example.org', 443, false, false],
  ['localhost', 5432, false, true],
  ['169.254.169.254', 80, false, false],
] as const)('%s:%d', (host, port, model, list) => {
  test.each([
    ['model', model],
    ['list', list],
  ] as const)('%s: %s', (network, expected) => {
    const allowed = listAllowedHosts({ network, domains: DOMAINS }, MODEL) ?? [];
    expect(isAllowedHost(allowed, host, port)).toBe(expected);
  });
});

test('ports of this machine are passed on one by one', () => {
  const allowed = listAllowedHosts({ network: 'list', domains: DOMAINS }, MODEL) ?? [];
  expect(listLoopbackPorts(allowed)).toEqual([4000, 5432]);
});

test.each([
  ['example.com', 'example.com', true],
  ['example.com', 'a.example.com', true],
  ['.example.com', 'a.example.com', true],
  ['x.example, example.com', 'evilexample.com', false],
  ['*', 'anything.example', true],
  ['', 'anything.example', false],
])('NO_PROXY=%s exempts %s: %s', (list, host, expected) => {
  expect(isExempt(list, host)).toBe(expected);
});
