import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createTempFolder } from '../../../../../../test/rig/project/temp-folder.ts';
import { takeBackConversations, takeBackLogin } from './take-back.ts';

let temp: ReturnType<typeof createTempFolder>;
let mine: string;
let inside: string;

beforeEach(() => {
  temp = createTempFolder();
  [mine, inside] = ['mine', 'inside'].map((name) => join(temp.path, name)) as [string, string];
  for (const folder of [mine, inside]) mkdirSync(folder);
});
afterEach(() => temp[Symbol.dispose]());

const login = (accessToken: unknown, expiresAt: unknown) => ({
  claudeAiOauth: { accessToken, refreshToken: 'r', expiresAt, scopes: ['a'] },
});
const put = (folder: string, value: unknown) =>
  writeFileSync(join(folder, '.credentials.json'), JSON.stringify(value));
const read = () => JSON.parse(readFileSync(join(mine, '.credentials.json'), 'utf8'));

test('a login that the client renewed is taken back, and nothing else of its file', () => {
  put(mine, { ...login('old', 1), other: 'kept' });
  put(inside, { ...login('new', 2), other: 'forged' });
  takeBackLogin(mine, inside);
  expect(read()).toEqual({ ...login('new', 2), other: 'kept' });
});

test.each([
  ['an older one', login('new', 0)],
  ['a broken one', login(7, 2)],
  ['none', {}],
  ['a text', 'x'],
])('%s is not', (_, found) => {
  put(mine, login('old', 1));
  put(inside, found);
  takeBackLogin(mine, inside);
  expect(read()).toEqual(login('old', 1));
});

test('a login that is good for longer is not replaced: only a run would do that', () => {
  const soon = 60 * 60_000;
  put(mine, login('old', soon));
  put(inside, login('evil', 2 * soon));
  takeBackLogin(mine, inside, 0);
  expect(read()).toEqual(login('old', soon));
  takeBackLogin(mine, inside, soon - 60_000);
  expect(read()).toEqual(login('evil', 2 * soon));
});

test('a pipe in its place is not read, and no login is made where there was none', () => {
  execFileSync('mkfifo', [join(inside, '.credentials.json')]);
  takeBackLogin(mine, inside);
  expect(readdirSync(mine)).toEqual([]);
});

test('conversations are copied once; links are not followed', () => {
  const [from, to] = [join(inside, 'p'), join(mine, 'p')];
  mkdirSync(from);
  mkdirSync(to);
  writeFileSync(join(from, 'a.jsonl'), 'new');
  writeFileSync(join(from, 'b.jsonl'), 'other');
  writeFileSync(join(to, 'b.jsonl'), 'mine');
  execFileSync('ln', ['-s', '/etc/passwd', join(from, 'c.jsonl')]);
  takeBackConversations(from, to);
  expect(readdirSync(to).sort()).toEqual(['a.jsonl', 'b.jsonl']);
  expect(readFileSync(join(to, 'b.jsonl'), 'utf8')).toBe('mine');
  takeBackConversations(join(inside, 'none'), join(mine, 'none'));
  expect(readdirSync(mine)).toEqual(['p']);
});
