import { realpathSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { parseStoryBranch } from '@saga-ai/types/words/names';
import { type Checkout, readBranch, readCheckout, readLines, statIfThere } from './git-files.ts';
import { readMark } from './story-worktrees.ts';

/** The story that a checkout is the worktree of, and the project it belongs to. */
export interface StoryCheckout {
  storyId: string;
  root: string;
}

/**
 * By what git and SAGA keep in git's folder of the worktree, wherever the worktree is. Returns
 * undefined for a main checkout, and for worktrees that have nothing to do with a story.
 */
export function findStoryOf(folder: string): StoryCheckout | undefined {
  // A folder called .git is a main checkout: no need to look any further.
  if (!statIfThere(join(folder, '.git'))?.isFile()) return undefined;
  const checkout = readCheckout(folder);
  if (!checkout?.isLinked) return undefined;
  const { branch = readBranch(checkout.gitFolder), root } = readMark(checkout.gitFolder);
  const storyId = branch === undefined ? undefined : parseStoryBranch(branch);
  if (storyId === undefined) return undefined;
  const project = findRoot(checkout, root);
  return project === undefined ? undefined : { storyId, root: project };
}

/** The one that was noted if it is still there; else the main checkout, if the repository has one. */
function findRoot({ common }: Checkout, noted: string | undefined): string | undefined {
  const isOurs = (root: string) => {
    const there = readCheckout(root)?.common;
    return there !== undefined && toReal(there) === toReal(common);
  };
  const places = [noted, basename(common) === '.git' ? dirname(common) : readWorkTree(common)];
  return places.find((it) => it !== undefined && isOurs(it));
}

/** git's folder of a submodule says where its files are. */
function readWorkTree(common: string): string | undefined {
  const lines = readLines(join(common, 'config')).map((it) => /^\s*worktree = (.+)$/.exec(it)?.[1]);
  const path = lines.find((it) => it !== undefined);
  return path === undefined ? undefined : resolve(common, path);
}

const toReal = (path: string) => (statIfThere(path) ? realpathSync(path) : path);
