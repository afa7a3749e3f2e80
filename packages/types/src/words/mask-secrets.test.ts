import { expect, test } from 'vitest';
import { findSecrets, maskDeep, maskText } from './mask-secrets.ts';

test.each([
  ['ANTHROPIC_API_KEY', 'sk-ant-1234567890'],
  ['GH_TOKEN', 'ghp_abcdefgh'],
  ['AWS_SECRET_ACCESS_KEY', 'abcd/efgh+ijkl'],
  ['DB_PASSWORD', 'correct horse'],
  ['PGPASSWD', 'hunter2hunter2'],
  ['NPM_AUTH', 'bm9ib2R5OnNlY3JldA=='],
  ['STRIPE_KEY', 'rk_live_12345'],
  ['npm_config__authToken', 'npm_abcdefgh'],
  ['SESSION_COOKIE', 'abcdefgh12345'],
])('%s is a secret', (name, value) => {
  expect(findSecrets({ [name]: value })).toEqual([{ name, value }]);
});

test.each([
  ['PATH', '/usr/bin:/bin-long-enough'],
  ['SSH_AUTH_SOCK', '/tmp/ssh-abc/agent.1'],
  ['GOOGLE_APPLICATION_CREDENTIALS', '/home/me/key.json'],
  ['TOKEN_CACHE', '~/.cache/tokens'],
  ['MAX_THINKING_TOKENS', '31999'],
  ['USE_TOKEN', 'disabled'],
  ['AUTH_URL', 'https://auth.example.org/token'],
  ['SHORT_KEY', 'abc'],
  ['KEYBOARD', 'qwerty-layout'],
  ['GIT_CONFIG_KEY_3', 'protocol.file.allow'],
  ['MONKEYS', 'three of them'],
  ['EDITOR', 'vim --secret'],
])('%s is none', (name, value) => {
  expect(findSecrets({ [name]: value })).toEqual([]);
});

test('the password of an address is hidden, and the address is not', () => {
  const secrets = findSecrets({ DATABASE_URL: 'postgres://me:p%40ssw0rd1@db:5432/shop' });
  expect(maskText('postgres://me:p%40ssw0rd1@db and p@ssw0rd1', secrets)).toBe(
    'postgres://me:[hidden: DATABASE_URL]@db and [hidden: DATABASE_URL]',
  );
});

test('a secret inside a longer one does not uncover its rest', () => {
  const secrets = findSecrets({ A_KEY: 'abcdefgh', B_KEY: 'abcdefgh-and-more' });
  expect(maskText('abcdefgh-and-more abcdefgh', secrets)).toBe('[hidden: B_KEY] [hidden: A_KEY]');
});

test('a key of many lines is hidden line by line', () => {
  const value = '-----BEGIN KEY-----\nMIIEvQIBADANBg\nkqhkiG9w0BAQEF\n-----END KEY-----\n';
  const secrets = findSecrets({ DEPLOY_PRIVATE_KEY: value });
  expect(maskText('x MIIEvQIBADANBg y', secrets)).toBe('x [hidden: DEPLOY_PRIVATE_KEY] y');
  expect(maskText('-----BEGIN KEY-----', secrets)).toBe('-----BEGIN KEY-----');
});

test('every text of a value is masked, and the rest stays as it is', () => {
  const secrets = findSecrets({ A_KEY: 'abcdefgh' });
  const value = { a: ['abcdefgh', 1, null, { b: 'is abcdefgh', abcdefgh: true }], c: undefined };
  expect(maskDeep(value, secrets)).toEqual({
    a: ['[hidden: A_KEY]', 1, null, { b: 'is [hidden: A_KEY]', '[hidden: A_KEY]': true }],
    c: undefined,
  });
  expect(maskDeep(value, [])).toBe(value);
});
