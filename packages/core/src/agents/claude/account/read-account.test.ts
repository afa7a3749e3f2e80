import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createTempFolder } from '../../../../../../test/rig/project/temp-folder.ts';
import { readAccount } from './read-account.ts';

function read(text?: string, project?: object) {
  using folder = createTempFolder();
  const config = join(folder.path, 'config');
  const place = join(folder.path, 'project');
  mkdirSync(config);
  mkdirSync(join(place, '.claude'), { recursive: true });
  const path = join(config, 'settings.json');
  if (text !== undefined) writeFileSync(path, text);
  if (project) writeFileSync(join(place, '.claude/settings.json'), JSON.stringify(project));
  return { path, ...readAccount({ config }, place) };
}

test('the settings of the person are read, those of the project outweigh them', () => {
  const text = JSON.stringify({ apiKeyHelper: 'a', awsAuthRefresh: 'b', model: 'x' });
  expect(read(`\uFEFF${text}`, { apiKeyHelper: 'c' })).toMatchObject({
    settings: { awsAuthRefresh: 'b' },
    env: {},
  });
});

test.each([undefined, '', '[]'])(
  'settings that are %o say nothing, and nothing is wrong',
  (text) => {
    const account = read(text);
    expect(account).toMatchObject({ settings: {}, env: {} });
    expect(account.unread).toBeUndefined();
  },
);

test('those that are broken are named, without a word of what is in them', () => {
  const { path, unread } = read('{ "env": { "ANTHROPIC_API_KEY": sk-secret');
  expect(unread).toEqual({ path, reason: 'it is not valid JSON' });
});

test('a folder in their place is named too', () => {
  using folder = createTempFolder();
  mkdirSync(join(folder.path, 'settings.json'));
  expect(readAccount({ config: folder.path }, folder.path).unread?.reason).toContain('EISDIR');
});
