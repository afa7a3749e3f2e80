import type { Code, Problem } from '@saga-ai/types/words/problem';

/** An error with what went wrong and where (message), and what to do now (hint). */
export class SagaError extends Error {
  override readonly name = 'SagaError';
  readonly code: Code;
  readonly hint: string;
  /** All problems, if there was more than one. */
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

/** Converts an error of the file system on writing to a SagaError. Returns any other error unchanged. */
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
        `Make it writable, or work in a copy elsewhere. To see which file system it is: df ${folderOf(path)}`,
        { cause: error },
      );
    case 'EEXIST':
    case 'ENOTDIR':
    case 'EISDIR':
      return new SagaError(
        'unreadable-file',
        `${path} is in the way: it is a file where a folder should be, or a folder where a file should be.`,
        `Check what it is, then move it away: ls -ld ${path}`,
        { cause: error },
      );
    default:
      return error;
  }
}

/** System calls that only read. `open` may read or write. */
const READS = ['access', 'lstat', 'opendir', 'read', 'readlink', 'realpath', 'scandir', 'stat'];

/** Converts any other error of the system to a SagaError, if no caller did. */
export function toSystemError(thrown: unknown, place?: string): unknown {
  const error = findFirst(thrown);
  const { path, syscall = '' } = (error ?? {}) as { path?: string; syscall?: string };
  const named = path ?? place;
  if (['EACCES', 'EPERM'].includes(errorCodeOf(error) ?? '')) {
    // An error without a path is not about a file: for example, a process that may not be signalled.
    if (named === undefined) return error;
    if (READS.includes(syscall)) return permissionDenied(error, named, 'read');
    if (syscall === 'open') return permissionDenied(error, named, 'opened');
  }
  return toWriteError(error, named ?? 'the disk');
}

/**
 * If clearing up fails after an error, both are thrown as one `SuppressedError`, which says nothing itself. The first
 * error is the one to tell.
 */
function findFirst(error: unknown): unknown {
  const isBoth = error instanceof Error && error.name === 'SuppressedError';
  return isBoth && 'suppressed' in error ? findFirst(error.suppressed) : error;
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
