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
  switch (errorCodeOf(error)) {
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
    case 'EROFS':
      return new SagaError(
        'permission-denied',
        `${path} cannot be written (${errorCodeOf(error)}).`,
        `Check the folder's permissions: ls -ld ${path.replace(/[^/]*$/, '') || '.'}`,
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

/** The same for whatever the system refused where nobody had better words for it. */
export function toSystemError(error: unknown, place = 'the disk'): unknown {
  const path = error instanceof Error && 'path' in error ? String(error.path) : place;
  return toWriteError(error, path);
}
