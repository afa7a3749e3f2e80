import { expect, test } from 'vitest';
import { bypassProxy } from './run-environment.ts';

const HERE = '127.0.0.1,localhost,::1';

test.each([
  [{}, HERE],
  [{ NO_PROXY: '' }, HERE],
  [{ NO_PROXY: 'a.example' }, `a.example,${HERE}`],
  [{ no_proxy: 'b.example' }, `b.example,${HERE}`],
  [
    { NO_PROXY: 'a.example, .c.example', no_proxy: 'b.example a.example' },
    `a.example,.c.example,b.example,${HERE}`,
  ],
  [{ NO_PROXY: 'localhost' }, 'localhost,127.0.0.1,::1'],
  [{ NO_PROXY: '*' }, '*'],
])('no proxy stands between a run and this machine: %o', (env, expected) => {
  expect(bypassProxy(env)).toEqual({ NO_PROXY: expected, no_proxy: expected });
});
