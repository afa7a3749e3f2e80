import { expect, test } from 'vitest';
import { messageOf, toSystemError } from './errors.ts';

const refused = (code: string, syscall: string, path?: string) =>
  Object.assign(new Error(`${code}: ${syscall}`), { code, syscall, path: path || undefined });

test.each([
  ['EACCES', 'scandir', '/p/.saga cannot be read (EACCES).'],
  ['EACCES', 'stat', '/p/.saga cannot be read (EACCES).'],
  ['EACCES', 'lstat', '/p/.saga cannot be read (EACCES).'],
  ['EPERM', 'readlink', '/p/.saga cannot be read (EPERM).'],
  ['EACCES', 'open', '/p/.saga cannot be opened (EACCES).'],
  ['EACCES', 'mkdir', '/p/.saga cannot be written (EACCES).'],
  ['EPERM', 'rename', '/p/.saga cannot be written (EPERM).'],
  ['EROFS', 'open', '/p/.saga cannot be written: its file system is read-only (EROFS).'],
])('%s from %s says what was tried', (code, syscall, message) => {
  expect(toSystemError(refused(code, syscall, '/p/.saga'))).toMatchObject({
    code: 'permission-denied',
    message,
    hint: expect.stringMatching(/: (ls -ld|df) \/p\//),
  });
});

test('what is not about a file is passed on as it came', () => {
  const error = refused('EPERM', 'kill');
  expect(toSystemError(error)).toBe(error);
  expect(messageOf(toSystemError(refused('ENOSPC', 'write')))).toBe(
    'No space left to write the disk.',
  );
});

test('if clearing up fails after an error, the first error is told', () => {
  const fail = () => {
    using _lock = {
      [Symbol.dispose]() {
        throw refused('EROFS', 'unlink', '/p/lock');
      },
    };
    throw refused('ENOSPC', 'write', '/p/plan');
  };
  try {
    fail();
    expect.unreachable();
  } catch (error) {
    expect(messageOf(toSystemError(error))).toBe('No space left to write /p/plan.');
  }
});
