import { join } from 'node:path';
import { listNames } from '../../files/list-folder.ts';
import { readIfReadable } from '../../files/read-text.ts';
import { statIfThere } from '../../project/git-files.ts';

/** The position of a checkout: the text of its HEAD, and the size of git's log of its moves. */
export interface CheckoutMark {
  head: string;
  /** Undefined if git keeps no notes. */
  logSize?: number;
}

/** The main checkout. The others have the names of their folders in git's list of worktrees. */
export const MAIN = '';

const folderOf = (shared: string, name: string) =>
  name === MAIN ? shared : join(shared, 'worktrees', name);

/** Reads the positions of all checkouts of a repository, except one worktree. */
export function readCheckouts(shared: string, without: string): Map<string, CheckoutMark> {
  const names = [MAIN, ...listNames(join(shared, 'worktrees'))].filter((it) => it !== without);
  return new Map(
    names.flatMap((name) => {
      const head = readIfReadable(join(folderOf(shared, name), 'HEAD'));
      const logSize = statIfThere(logOf(shared, name))?.size;
      if (head === undefined) return [];
      return [[name, { head, logSize }] as const];
    }),
  );
}

/**
 * Returns the commits that a checkout has moved to since its log had this size. Returns undefined if git
 * keeps no log there.
 */
export function readMoves(
  shared: string,
  name: string,
  { logSize }: CheckoutMark,
): Set<string> | undefined {
  const text = logSize === undefined ? undefined : readIfReadable(logOf(shared, name));
  if (text === undefined || logSize === undefined) return undefined;
  const added = Buffer.from(text).subarray(logSize).toString();
  return new Set(added.split('\n').flatMap((line) => line.split(' ')[1] ?? []));
}

const logOf = (shared: string, name: string) => join(folderOf(shared, name), 'logs/HEAD');
export const headOf = (shared: string, name: string) => join(folderOf(shared, name), 'HEAD');
/** The branch that a HEAD names, as a full ref. */
export const branchOf = (head: string) => /^ref: (refs\/\S+)/.exec(head)?.[1];
