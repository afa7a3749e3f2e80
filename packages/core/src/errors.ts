import type { Code, Problem } from '@saga-ai/types/words/problem';

/** What went wrong and where (message), and what to do now (hint). Printed in one place. */
export class SagaError extends Error {
  override readonly name = 'SagaError';
  readonly code: Code;
  readonly hint: string;
  /** Every fault found, when there was more than one. */
  readonly problems: readonly Problem[];

  constructor(
    code: Code,
    message: string,
    hint: string,
    options: { cause?: unknown; problems?: readonly Problem[] } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.hint = hint;
    this.problems = options.problems ?? [];
  }
}

export function errorCodeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error ? String(error.code) : undefined;
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** A write that the file system refused, in words; anything else is passed on as it came. */
export function toWriteError(error: unknown, path: string): unknown {
  const code = errorCodeOf(error);
  switch (code) {
    case 'ENOSPC':
    case 'EDQUOT':
      return new SagaError(
        'disk-full',
        `No space left to write ${path}.`,
        'Free some space and run the command again; nothing was changed.',
        { cause: error },
      );
    case 'EACCES':
    case 'EPERM':
      return permissionDenied(error, path, 'written');
    case 'EROFS':
      return new SagaError(
        'permission-denied',
        `${path} cannot be written: its file system is read-only (${code}).`,
        `Make it writable, or work in a copy elsewhere. Which file system it is: df ${folderOf(path)}`,
        { cause: error },
      );
    case 'EEXIST':
    case 'ENOTDIR':
    case 'EISDIR':
      return new SagaError(
        'unreadable-file',
        `${path} is in the way: a file stands where a folder should be, or a folder for a file.`,
        `Look at it and move it away: ls -ld ${path}`,
        { cause: error },
      );
    default:
      return error;
  }
}

/** System calls that only look. `open` may do either. */
const READS = ['access', 'lstat', 'opendir', 'read', 'readlink', 'realpath', 'scandir', 'stat'];

/** The same for whatever the system refused where nobody had better words for it. */
export function toSystemError(error: unknown, place?: string): unknown {
  const { path, syscall = '' } = (error ?? {}) as { path?: string; syscall?: string };
  const named = path ?? place;
  if (['EACCES', 'EPERM'].includes(errorCodeOf(error) ?? '')) {
    // Without a path it is not about a file: a process that may not be signalled, for example.
    if (named === undefined) return error;
    if (READS.includes(syscall)) return permissionDenied(error, named, 'read');
    if (syscall === 'open') return permissionDenied(error, named, 'opened');
  }
  return toWriteError(error, named ?? 'the disk');
}

function permissionDenied(cause: unknown, path: string, tried: 'read' | 'opened' | 'written') {
  return new SagaError(
    'permission-denied',
    `${path} cannot be ${tried} (${errorCodeOf(cause)}).`,
    `Check the folder's permissions: ls -ld ${folderOf(path)}`,
    { cause },
  );
}

const folderOf = (path: string) => path.replace(/[^/]*$/, '') || '.';
