import { Config } from '@saga-ai/types/config';
import { expect, test } from 'vitest';
import { describeSurroundings } from '../scope/surroundings.ts';
import { describeRefusal, findRefusal } from './find-refusal.ts';

function find(output: string, sandbox: object = {}) {
  const settings = Config.parse({ sandbox }).sandbox;
  const surroundings = describeSurroundings(settings, '/home/ada', []);
  return findRefusal(output, { folder: '/home/ada/shop.stories/cart', surroundings, settings });
}

test.each([
  [
    'a program that writes a folder of the home',
    "Error: EROFS: read-only file system, mkdir '/home/ada/.gradle/x'",
    { path: '/home/ada/.gradle/x', why: 'read-only' },
  ],
  [
    'a shell',
    'sh: 1: cannot create /opt/tool/log: Read-only file system\nmake: *** [test] Error 2',
    { path: '/opt/tool/log', why: 'read-only' },
  ],
  [
    'a secret',
    'cat: /home/ada/.ssh/id_ed25519: No such file or directory',
    { path: '/home/ada/.ssh/id_ed25519', why: 'hidden' },
  ],
  [
    'the secrets of the main checkout',
    "cp: cannot open '/home/ada/shop/.env' for reading: Permission denied",
    { path: '/home/ada/shop/.env', why: 'closed' },
  ],
  [
    'a database',
    'psql: error: connection to server on socket "/run/postgresql/.s.PGSQL.5432" failed: No such file or directory',
    { path: '/run/postgresql/.s.PGSQL.5432', why: 'emptied' },
  ],
  [
    'docker',
    'Cannot connect to the Docker daemon at unix:///var/run/docker.sock. Is the docker daemon running?',
    { path: '/var/run/docker.sock', why: 'emptied' },
  ],
  [
    'a file that somebody put into /tmp',
    "Error: ENOENT: no such file or directory, open '/tmp/fixtures/a.json'",
    { path: '/tmp/fixtures/a.json', why: 'emptied' },
  ],
  [
    'a socket in a folder that is shown',
    'dial unix /home/ada/.colima/docker.sock: connect: connection refused',
    { path: '/home/ada/.colima/docker.sock', why: 'socket' },
  ],
])('is found: %s', (_, output, expected) => {
  expect(find(output)).toMatchObject(expected);
});

test.each([
  ['a test that fails', '1 test failed\nexpected 1 to be 2'],
  [
    'a file that is missing in the worktree',
    "ENOENT: no such file '/home/ada/shop.stories/cart/a.json'",
  ],
  ['a file that is missing in the system', 'cat: /usr/share/x: No such file or directory'],
  ['a server that does not listen', 'connect ECONNREFUSED 127.0.0.1:5432'],
  ['an address', 'GET https://example.org/a failed: connection refused'],
])('is left alone: %s', (_, output) => {
  expect(find(output)).toBeUndefined();
});

test('the remedy keeps what the setting holds, and an allowed path is no refusal', () => {
  const line = 'touch: cannot touch /opt/b: Read-only file system';
  expect(find(line, { allow: ['/opt/a'] })?.remedy).toBe(
    'saga config sandbox.allow "/opt/a,/opt/b"',
  );
  expect(find(line, { allow: ['/opt'] })).toBeUndefined();
  expect(find('~/.netrc: Permission denied', { hide: ['~/.netrc', '~/.ssh'] })?.remedy).toBe(
    'saga config sandbox.hide "~/.ssh"',
  );
});

test('the sentence names the path, the reason and the command', () => {
  const refusal = find('open /opt/b: read-only file system');
  expect(refusal && describeRefusal(refusal)).toBe(
    'The sandbox may be the reason: /opt/b is read-only in the sandbox. If the command needs it: saga config sandbox.allow "/opt/b"',
  );
});
