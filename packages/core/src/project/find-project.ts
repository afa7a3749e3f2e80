import { existsSync, realpathSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { isId } from '@saga-ai/types/plan/ids';
import { SagaError } from '../errors.ts';
import { readLink } from './git-files.ts';
import { findStoryOf } from './story-checkout.ts';

/** Where the work is planned: the main checkout that holds `.saga`. */
export interface Project {
  /** Absolute path of the folder that contains `.saga`. */
  root: string;
  /** The story in whose worktree we stand, if we do. */
  insideStory?: string;
}

/** The nearest folder with a `.saga`; from inside a story's worktree, the project it belongs to. */
export function findProject(from: string): Project {
  const project = lookForProject(from);
  if (project) return project;
  throw new SagaError(
    'no-project',
    `No .saga folder in ${resolve(from)} or above.`,
    'Run saga init in your repository, or name the project with --project DIR.',
  );
}

export function lookForProject(from: string): Project | undefined {
  const start = resolveReal(from);
  for (let folder = start; ; folder = dirname(folder)) {
    const story = findStoryOf(folder);
    if (story) return { root: story.root, insideStory: story.storyId };
    if (isFolder(join(folder, '.saga'))) return locate(folder, start);
    if (dirname(folder) === folder) return undefined;
  }
}

/** A worktree of an older version is known by its place, even when git has lost it. */
function locate(folder: string, start: string): Project {
  const around = dirname(dirname(dirname(folder)));
  for (const [root, inside] of [
    [around, folder],
    [folder, start],
  ] as const) {
    const [storyId = '', ...above] = relative(root, inside).split(sep).slice(0, 3).reverse();
    if (above.join('/') === 'worktrees/.saga' && isId(storyId)) {
      return { root, insideStory: storyId };
    }
  }
  requireRepository(folder);
  return { root: folder };
}

/** A worktree carries a `.saga` of its own, which must not be taken for the project's. */
function requireRepository(folder: string): void {
  const target = readLink(join(folder, '.git'));
  if (target === undefined || existsSync(target) || !/\/worktrees\/[^/]+$/.test(target)) return;
  throw new SagaError(
    'no-project',
    `${folder} is a worktree of a repository that is no longer in ${dirname(dirname(target))}.`,
    `If it was moved, run this where it is now: git worktree repair '${folder}'`,
  );
}

/** The top of the git checkout, found without starting git: `.git` is a folder, or a file in a worktree. */
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
