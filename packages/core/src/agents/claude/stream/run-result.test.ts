import { expect, test } from 'vitest';
import { classifyRun, type EndedRun, findReset } from './run-result.ts';

const RUN: EndedRun = { code: 0, signal: null, sawInit: true, stderr: '' };
const api = (result: string, more: object = {}): EndedRun => ({
  ...RUN,
  code: 1,
  result: { subtype: 'success', is_error: true, result, ...more },
});

test.each<[string, EndedRun, string]>([
  ['success', { ...RUN, result: { subtype: 'success', is_error: false } }, 'ok'],
  ['a success that is an error', api('API Error: 500'), 'unavailable'],
  ['500', api('x', { api_error_status: 500 }), 'unavailable'],
  ['529', api('x', { api_error_status: 529 }), 'unavailable'],
  [
    'a lost connection',
    { ...api('x', { api_error_status: null }), lastError: 'unknown' },
    'unavailable',
  ],
  ['an overload that an old client names', { ...api('x'), lastError: 'overloaded' }, 'unavailable'],
  ['an error without a name', api('API Error: something else'), 'api-error'],
  ['400', api('API Error: 400', { api_error_status: 400 }), 'api-error'],
  ['401', api('x', { api_error_status: 401 }), 'credential-refused'],
  ['403', api('x', { api_error_status: 403 }), 'credential-refused'],
  ['404', api('x', { api_error_status: 404 }), 'credential-refused'],
  ['429', api('x', { api_error_status: 429 }), 'unavailable'],
  [
    'old clients name no status',
    { ...api('x'), lastError: 'authentication_failed' },
    'credential-refused',
  ],
  ['no key', api('Not logged in · Please run /login'), 'credential-refused'],
  ['no credit', api('Credit balance is too low'), 'credential-refused'],
  ['a used-up subscription', api("You've hit your limit · resets 3pm"), 'usage-limit'],
  ['a busy server that speaks of a limit', api('Rate limit reached'), 'unavailable'],
  ['a used-up subscription, older', api('Claude AI usage limit reached|1794725143'), 'usage-limit'],
  ['a rejected rate limit', { ...api('x'), lastError: 'usage_limit' }, 'usage-limit'],
  ['too long a prompt', api('Prompt is too long'), 'context-exhausted'],
  ['budget', api('', { subtype: 'error_max_budget_usd' }), 'budget'],
  ['turns', api('', { subtype: 'error_max_turns' }), 'max-turns'],
  ['SIGINT', { ...api('', { subtype: 'error_during_execution' }), code: 0 }, 'aborted'],
  ['SIGTERM', { ...RUN, code: 143 }, 'crash'],
  ['SIGTERM before init', { ...RUN, code: 143, sawInit: false }, 'crash'],
  ['SIGHUP', { ...RUN, code: 129 }, 'crash'],
  ['SIGKILL', { ...RUN, code: null, signal: 'SIGKILL' }, 'crash'],
  ['a bad flag', { ...RUN, code: 1, sawInit: false, stderr: 'unknown option' }, 'usage-error'],
])('%s', (_, run, outcome) => {
  expect(classifyRun(run).outcome).toBe(outcome);
});

test('it is said in the words of the client, on one line', () => {
  expect(classifyRun(api('API Error: 500\nmore')).detail).toBe('API Error: 500');
  const refused = { ...RUN, code: 1, sawInit: false, stderr: 'Warning\nerror: unknown option\n' };
  expect(classifyRun(refused).detail).toBe('error: unknown option');
  expect(classifyRun({ ...RUN, code: null, signal: 'SIGKILL' }).detail).toContain('SIGKILL');
});

test('the end of a usage limit is read where it is told', () => {
  expect(findReset('Claude AI usage limit reached|1794725143')).toBe(1794725143000);
  expect(findReset("You've hit your limit · resets 3pm")).toBeUndefined();
});
