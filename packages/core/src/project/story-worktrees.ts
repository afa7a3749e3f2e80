import { readdirSync, realpathSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { isId } from '@saga-ai/types/plan/ids';
import { parseRehearsalBranch, parseStoryBranch } from '@saga-ai/types/words/names';
import {
  isThere,
  readBranch,
  readCheckout,
  readLines,
  readLink,
  statIfThere,
} from './git-files.ts';
import { STORY_MARK } from './machine-state.ts';
import { type Paths, type StoryWorktree, storyFolderIn, worktreeName } from './paths.ts';
import { listWorktreePlaces } from './worktrees-folder.ts';

/** Called for an existing folder that cannot be listed. */
export type OnUnlisted = (folder: string, error: unknown) => void;

/**
 * Lists the worktrees of all stories from git's own files. So they are found wherever they are: below
 * `.saga/worktrees` if an older version made them, beside the repository under its earlier name, or
 * where `worktree.folder` said at the time.
 */
export function listStoryWorktrees(
  paths: Paths,
  onUnlisted?: OnUnlisted,
): Map<string, StoryWorktree> {
  const found = new Map<string, StoryWorktree>();
  const common = readCheckout(paths.root)?.common;
  const put = (it: StoryWorktree | undefined) => {
    if (it && (it.isOwn || !found.has(it.storyId))) found.set(it.storyId, it);
  };
  if (common !== undefined) {
    for (const name of listNames(join(common, 'worktrees'))) put(readEntry(paths, common, name));
  }
  for (const it of listInner(paths, onUnlisted)) if (!found.get(it.storyId)?.isOwn) put(it);
  for (const it of paths.pinned) put(it);
  return found;
}

/** Finds the worktree of one story. */
export function findStoryWorktree(paths: Paths, storyId: string): StoryWorktree | undefined {
  const pinned = paths.pinned.find((it) => it.storyId === storyId);
  if (pinned) return pinned;
  const common = readCheckout(paths.root)?.common;
  if (common !== undefined) {
    // git names its entry after the folder, so the first entry usually is the right one.
    const entry = readEntry(paths, common, worktreeName(paths, storyId));
    if (entry?.isOwn && entry.storyId === storyId) return entry;
  }
  return listStoryWorktrees(paths).get(storyId);
}

/** Fixes the worktree of a worker, so that a run cannot lead the worker elsewhere by changing git's files. */
export function pinWorktree(paths: Paths, storyId: string, folder: string): Paths {
  return { ...paths, pinned: [{ storyId, folder, isOwn: true }] };
}

/** The folder in which git lists its worktrees. It exists only while there are any. */
export function findRegistry(root: string): string | undefined {
  const common = readCheckout(root)?.common;
  return common === undefined ? undefined : join(common, 'worktrees');
}

/** Whether git is creating a worktree at this moment and has not written its branch yet. */
export function isMakingWorktree(root: string): boolean {
  const registry = findRegistry(root);
  if (registry === undefined) return false;
  return listNames(registry).some((name) => {
    const [head] = readLines(join(registry, name, 'HEAD'));
    return head === undefined || /^0+$/.test(head);
  });
}

/**
 * Notes the branch and the project: a run may leave its branch, and a repository may have several
 * checkouts.
 */
export function markWorktree(gitFolder: string, branch: string, root: string): void {
  const file = join(gitFolder, STORY_MARK);
  const text = `${branch}\n${root}\n`;
  if (readLines(file).join('\n') !== text.trimEnd()) writeFileSync(file, text);
}

export function readMark(gitFolder: string): { branch?: string; root?: string } {
  const [branch, root] = readLines(join(gitFolder, STORY_MARK));
  return { branch: branch || undefined, root: root || undefined };
}

function readEntry(paths: Paths, common: string, name: string): StoryWorktree | undefined {
  const admin = join(common, 'worktrees', name);
  const [back] = readLines(join(admin, 'gitdir'));
  if (back === undefined) return undefined;
  const mark = readMark(admin).branch;
  const branch = mark ?? readBranch(admin);
  const parse = paths.isRehearsal ? parseRehearsalBranch : parseStoryBranch;
  const storyId = branch === undefined ? undefined : parse(branch);
  if (storyId === undefined) return undefined;
  const folder = findFolder(paths, admin, dirname(resolve(admin, back)));
  if (folder === undefined || folder === paths.root) return undefined;
  return { storyId, folder, isOwn: mark !== undefined || isInPlace(paths, folder) };
}

/**
 * Whether the folder is in a usual place and has the story's name: a worker may have been killed
 * before it wrote the mark, and people create some worktrees by hand.
 */
function isInPlace(paths: Paths, folder: string): boolean {
  return listWorktreePlaces(paths).some(
    (it) => statIfThere(it) && realpathSync(it) === dirname(folder),
  );
}

/** Finds a worktree's folder, even if the repository was renamed or moved together with its worktrees. */
function findFolder(paths: Paths, admin: string, noted: string): string | undefined {
  if (statIfThere(noted)?.isDirectory()) return isTied(noted, admin) ? noted : undefined;
  const moved = listWorktreePlaces(paths).map((place) => join(place, basename(noted)));
  return moved.find((it) => readLink(join(it, '.git')) !== undefined && isTied(it, admin));
}

/**
 * Whether a worktree belongs to this repository: a copied repository has the same entries, but the
 * worktrees belong to the original.
 */
function isTied(folder: string, admin: string): boolean {
  const target = readLink(join(folder, '.git'));
  // A run may have removed or replaced the link; git's entry still names the folder.
  if (target === undefined || target === admin) return true;
  if (!statIfThere(target)) return basename(target) === basename(admin);
  return realpathSync(target) === realpathSync(admin);
}

/** Lists worktrees inside the project by name alone: they move with the project. */
function listInner(paths: Paths, onUnlisted?: OnUnlisted): StoryWorktree[] {
  if (paths.isRehearsal) return [];
  return listNames(paths.innerWorktrees, onUnlisted)
    .filter(isId)
    .map((storyId) => ({ storyId, folder: join(paths.innerWorktrees, storyId), isOwn: true }))
    .filter(({ storyId, folder }) =>
      [join(folder, '.git'), storyFolderIn(folder, storyId)].some(isThere),
    );
}

function listNames(folder: string, onUnlisted?: OnUnlisted): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') onUnlisted?.(folder, error);
    return [];
  }
}
