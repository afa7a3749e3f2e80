import { expect, test } from 'vitest';
import { PLAIN_ENVIRONMENT } from '../../../../test/rig/programs/run-program.ts';
import { diffTexts } from './diff-texts.ts';

test('two texts are compared line by line, without names of files', async () => {
  const before = 'a\nb\nc\n';
  expect(await diffTexts(before, before, PLAIN_ENVIRONMENT)).toBe('');
  expect(await diffTexts(before, 'a\nB\nc\n', PLAIN_ENVIRONMENT)).toBe(
    '@@ -1,3 +1,3 @@\n a\n-b\n+B\n c\n',
  );
});

test('settings of the person for git do not change the form', async () => {
  const settings = [
    ['diff.external', 'false'],
    ['diff.noprefix', 'true'],
    ['color.ui', 'always'],
    ['diff.context', '0'],
  ];
  const env = Object.fromEntries(
    settings.flatMap(([key = '', value = ''], i) => [
      [`GIT_CONFIG_KEY_${i}`, key],
      [`GIT_CONFIG_VALUE_${i}`, value],
    ]),
  );
  const around = { ...PLAIN_ENVIRONMENT, ...env, GIT_CONFIG_COUNT: String(settings.length) };
  expect(await diffTexts('a\nb\n', 'a\nc\n', around)).toBe('@@ -1,2 +1,2 @@\n a\n-b\n+c\n');
});
