import { expect, test } from 'vitest';
import { redactUrl } from './redact-url.ts';

test.each([
  ['https://you:t0ken@github.com/you/shop.git', 'https://github.com/you/shop.git'],
  ['https://ghp_t0ken@github.com/you/shop.git', 'https://github.com/you/shop.git'],
  ['ssh://git:t0ken@github.com/you/shop.git', 'ssh://git@github.com/you/shop.git'],
  ['git@github.com:you/shop.git', 'git@github.com:you/shop.git'],
  ['you:t0ken@host:shop', 'you@host:shop'],
  ['https://host/shop?private_token=t0ken&a=1', 'https://host/shop?a=1'],
  ['https://not an address:t0ken@', 'https://…'],
  ['/srv/git/shop.git', '/srv/git/shop.git'],
])('%s is shown as %s', (address, shown) => {
  expect(redactUrl(address)).toBe(shown);
});
