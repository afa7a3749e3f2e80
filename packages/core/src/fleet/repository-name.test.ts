import { expect, test } from 'vitest';
import { nameRepository, normalise } from './repository-name.ts';

test.each([
  ['https://github.com/you/shop.git', 'github.com/you/shop'],
  ['https://github.com/you/shop', 'github.com/you/shop'],
  ['https://you:t0ken@GitHub.com/you/shop.git/', 'github.com/you/shop'],
  ['https://github.com:443/you/shop', 'github.com/you/shop'],
  ['git@github.com:you/shop.git', 'github.com/you/shop'],
  ['github.com:you/shop', 'github.com/you/shop'],
  ['ssh://git@github.com/you/shop.git', 'github.com/you/shop'],
  ['ssh://git@github.com:22/you/shop.git', 'github.com/you/shop'],
  ['git+ssh://git@github.com/you/shop', 'github.com/you/shop'],
  ['ssh://git@git.example:2222/shop', 'git.example:2222/shop'],
  ['ssh://you@[::1]/srv/shop.git', '[::1]/srv/shop'],
  ['ssh://host/~you/shop', 'host/~you/shop'],
  ['host:~you/shop', 'host/~you/shop'],
  ['/srv/git/shop.git', 'file:srv/git/shop'],
  ['file:///srv/git/shop', 'file:srv/git/shop'],
  ['file://localhost/srv/git/my%20shop.git', 'file:srv/git/my shop'],
  ['srv:git/shop', 'srv/git/shop'],
  ['./a:b/shop', 'file:./a:b/shop'],
])('%s is %s', (address, name) => {
  expect(normalise(address)).toBe(name);
});

test('a key tells two repositories apart, and the address for people has no secret', () => {
  const shop = nameRepository('https://you:t0ken@github.com/you/shop.git');
  expect(shop).toEqual({
    key: nameRepository('git@github.com:you/shop').key,
    url: 'https://github.com/you/shop.git',
  });
  expect(shop.key).toMatch(/^[0-9a-f]{24}$/);
  expect(nameRepository('git@github.com:you/shop2').key).not.toBe(shop.key);
});
