import { realpathSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { parseWorktree } from '@saga-ai/types/words/names';
import { SagaError } from '../errors.ts';

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
    if (isFolder(join(folder, '.saga'))) return locate(folder, start);
    if (dirname(folder) === folder) return undefined;
  }
}

/** A worktree at `<root>/.saga/worktrees/<id>` carries its own `.saga`, but the project is `<root>`. */
function locate(folder: string, start: string): Project {
  const around = dirname(dirname(dirname(folder)));
  for (const [root, inside] of [
    [around, folder],
    [folder, start],
  ] as const) {
    const worktree = relative(root, inside).split(sep).slice(0, 3).join('/');
    const storyId = parseWorktree(worktree);
    if (storyId !== undefined) return { root, insideStory: storyId };
  }
  return { root: folder };
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
