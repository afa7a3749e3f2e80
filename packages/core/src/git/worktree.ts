import { existsSync, lstatSync } from 'node:fs';
import { join } from 'node:path';
import { SagaError } from '../errors.ts';
import { identifyFolder } from '../files/identify-folder.ts';
import { readCheckout, readLink } from '../project/git-files.ts';
import { mendLinks } from '../project/mend-links.ts';
import { type Paths, type StoryWorktree, storyBranch } from '../project/paths.ts';
import { quote } from '../project/quote.ts';
import { toReal } from '../project/resolve-real.ts';
import { findStoryWorktree } from '../project/story-worktrees.ts';
import type { Base } from './find-base.ts';
import type { Git } from './git.ts';
import type { PinnedHook } from './pins.ts';

export interface Worktree {
  folder: string;
  /** What `identifyFolder` said of the folder when the worker began. */
  identity: string | undefined;
  branch: string;
  base: Base;
  /** Uses the person's git settings as they were when the worker began. */
  git: Git;
  /** git's own folder for this worktree. Files that SAGA keeps there are deleted with the worktree. */
  gitFolder: string;
  /** The hook that may run before a push: it was there before any run. No other hook may. */
  pushHook?: PinnedHook;
}

/**
 * Whether the worktree is still the one that the worker began with. If somebody deletes it, a client
 * that writes a file makes a new folder at the same path, and nothing of the branch is in that. A
 * folder that only lost its `.git` is still the same: a run may have removed that file.
 */
export function isStillThere({ folder, identity }: Pick<Worktree, 'folder' | 'identity'>): boolean {
  return hasLink(folder) || (identity !== undefined && identifyFolder(folder) === identity);
}

function hasLink(folder: string): boolean {
  try {
    return lstatSync(join(folder, '.git')).isFile();
  } catch {
    // A folder whose entries cannot be examined shows no link.
    return false;
  }
}

/**
 * Finds the worktree of a story for a command that starts git in it. If the worktree was moved, or its
 * repository was, the links between the two are mended first. Throws if that would not be safe.
 */
export function findUsableWorktree(paths: Paths, storyId: string): StoryWorktree | undefined {
  const found = findStoryWorktree(paths, storyId);
  const common = readCheckout(paths.root)?.common;
  if (!found?.isOwn || common === undefined) return found;
  const target = readLink(join(found.folder, '.git'));
  // A run may have removed the link. Only a worker ties such a worktree to the repository again.
  if (target === undefined) return found;
  const links = mendLinks(toReal(common), toReal(found.folder), storyBranch(paths, storyId));
  // If the link leads to a repository, the command itself finds out that it is another one.
  if (links !== 'foreign' || existsSync(target)) return found;
  const command = ['git', '-C', paths.root, 'worktree', 'repair', found.folder];
  throw new SagaError(
    'worktree-taken',
    `${found.folder} belongs to a repository that is no longer at ${target}.`,
    `If the project was moved, tie the worktree to it again: ${command.map(quote).join(' ')}`,
  );
}
