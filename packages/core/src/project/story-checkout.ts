import { join } from 'node:path';
import { parseStoryBranch } from '@saga-ai/types/words/names';
import {
  type Checkout,
  findMainCheckout,
  readBranch,
  readCheckout,
  statIfThere,
} from './git-files.ts';
import { toReal } from './resolve-real.ts';
import { readMark } from './story-worktrees.ts';

/** A story's worktree: the story, and the project it belongs to. */
export interface StoryCheckout {
  storyId: string;
  root: string;
}

/**
 * Finds the story of a worktree, wherever the worktree is, from the files of git and SAGA in git's folder for this
 * worktree. Returns undefined for a main checkout and for worktrees without a story.
 */
export function findStoryOf(folder: string): StoryCheckout | undefined {
  // A .git folder means a main checkout.
  if (!statIfThere(join(folder, '.git'))?.isFile()) return undefined;
  const checkout = readCheckout(folder);
  if (!checkout?.isLinked) return undefined;
  const { branch = readBranch(checkout.gitFolder), root } = readMark(checkout.gitFolder);
  const storyId = branch === undefined ? undefined : parseStoryBranch(branch);
  if (storyId === undefined) return undefined;
  const project = findRoot(folder, checkout, root);
  return project === undefined ? undefined : { storyId, root: project };
}

/** Returns the noted project if it still exists, else the main checkout if the repository has one. */
function findRoot(
  folder: string,
  { common }: Checkout,
  noted: string | undefined,
): string | undefined {
  const isOurs = (root: string) => {
    const there = readCheckout(root)?.common;
    return there !== undefined && toReal(there) === toReal(common);
  };
  const main = findMainCheckout(folder);
  return [noted, main === folder ? undefined : main].find((it) => it !== undefined && isOurs(it));
}
