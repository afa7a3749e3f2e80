import { existsSync, realpathSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { isId } from '@saga-ai/types/plan/ids';
import { PLAN_FOLDER } from '@saga-ai/types/plan/plan-paths';
import { SagaError } from '../errors.ts';
import { isSparse, readLink } from './git-files.ts';
import { findStoryOf } from './story-checkout.ts';

/** The main checkout that holds `.saga`. */
export interface Project {
  /** The absolute path of the folder that contains `.saga`. */
  root: string;
  /** The story whose worktree contains the start folder, if any. */
  insideStory?: string;
}

/**
 * Finds the nearest folder with a `.saga`. From inside a story's worktree, finds the project of that
 * story.
 */
export function findProject(from: string): Project {
  const project = lookForProject(from);
  if (project) return project;
  throw new SagaError(
    'no-project',
    `No .saga folder in ${resolve(from)} or above.`,
    isSparse(findGitRoot(from) ?? from)
      ? 'This checkout is sparse. If it leaves the plan out: git sparse-checkout add .saga. If there is no plan yet: saga init'
      : 'Run saga init in your repository, or name the project with --project DIR.',
  );
}

export function lookForProject(from: string): Project | undefined {
  const start = resolveReal(from);
  for (let folder = start; ; folder = dirname(folder)) {
    const story = findStoryOf(folder);
    if (story) return { root: story.root, insideStory: story.storyId };
    if (isFolder(join(folder, PLAN_FOLDER))) return locate(folder, start);
    if (dirname(folder) === folder) return undefined;
  }
}

/** A worktree of an older version is recognised by its path, even if git has lost its entry. */
function locate(folder: string, start: string): Project {
  const around = dirname(dirname(dirname(folder)));
  for (const [root, inside] of [
    [around, folder],
    [folder, start],
  ] as const) {
    const [storyId = '', ...above] = relative(root, inside).split(sep).slice(0, 3).reverse();
    if (above.join('/') === `worktrees/${PLAN_FOLDER}` && isId(storyId)) {
      return { root, insideStory: storyId };
    }
  }
  requireRepository(folder);
  return { root: folder };
}

/** Throws if the folder is a worktree whose repository is missing: its own `.saga` is not the project's. */
function requireRepository(folder: string): void {
  const target = readLink(join(folder, '.git'));
  if (target === undefined || existsSync(target) || !/\/worktrees\/[^/]+$/.test(target)) return;
  throw new SagaError(
    'no-project',
    `${folder} is a worktree of a repository that is no longer in ${dirname(dirname(target))}.`,
    `If it was moved, run this where it is now: git worktree repair '${folder}'`,
  );
}

/**
 * Finds the top folder of the git checkout without starting git. `.git` is a folder, or a file in a
 * worktree.
 */
export function findGitRoot(from: string): string | undefined {
  for (let folder = resolveReal(from); ; folder = dirname(folder)) {
    if (statSync(join(folder, '.git'), { throwIfNoEntry: false })) return folder;
    if (dirname(folder) === folder) return undefined;
  }
}

export function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

function resolveReal(from: string): string {
  const path = resolve(from);
  try {
    return realpathSync(path);
  } catch (cause) {
    throw new SagaError(
      'no-project',
      `${path} does not exist or cannot be entered.`,
      'Name an existing folder with --project DIR.',
      { cause },
    );
  }
}
