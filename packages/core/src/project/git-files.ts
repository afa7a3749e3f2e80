import { readFileSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

/** What git keeps in plain files about a checkout, read without starting git: every command asks. */
export interface Checkout {
  /** git's own folder for this checkout. */
  gitFolder: string;
  /** The folder that all checkouts of the repository share. */
  common: string;
  /** Made by `git worktree add`. */
  isLinked: boolean;
}

/** Returns undefined if the folder is not the top of a checkout, or its repository is not there. */
export function readCheckout(folder: string): Checkout | undefined {
  const link = join(folder, '.git');
  const found = statIfThere(link);
  if (!found) return undefined;
  if (found.isDirectory()) return { gitFolder: link, common: link, isLinked: false };
  const gitFolder = readLink(link);
  if (gitFolder === undefined || !statIfThere(gitFolder)) return undefined;
  const [common] = readLines(join(gitFolder, 'commondir'));
  // A submodule, or a repository that is kept apart, has a link too, but no folder to share.
  if (common === undefined) return { gitFolder, common: gitFolder, isLinked: false };
  return { gitFolder, common: resolve(gitFolder, common), isLinked: true };
}

/** Where a `.git` file leads, whether or not something is there. */
export function readLink(link: string): string | undefined {
  const target = /^gitdir: (.+)/.exec(readLines(link)[0] ?? '')?.[1];
  return target === undefined ? undefined : resolve(dirname(link), target);
}

/** The branch of a checkout; undefined while its HEAD is detached or not written yet. */
export function readBranch(gitFolder: string): string | undefined {
  return /^ref: refs\/heads\/(.+)/.exec(readLines(join(gitFolder, 'HEAD'))[0] ?? '')?.[1];
}

/** The lines of a small file; none if it is missing or cannot be read. */
export function readLines(file: string): string[] {
  try {
    return readFileSync(file, 'utf8').split('\n').filter(Boolean);
  } catch {
    // What cannot be read says nothing about a worktree.
    return [];
  }
}

/** Returns undefined for what is missing and for what we may not look at. */
export function statIfThere(path: string) {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

/** What we may not look at is there all the same: another copy must not pass for the live one. */
export function isThere(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ENOTDIR';
  }
}
