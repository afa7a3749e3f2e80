import { join } from 'node:path';
import { WORKTREE_FOLDER } from '@saga-ai/types/words/names';
import { messageOf, toWriteError } from '../../errors.ts';
import { ensureFolder } from '../../files/ensure-folder.ts';
import { worktreeName } from '../../project/paths.ts';
import { toReal } from '../../project/resolve-real.ts';
import { findStoryWorktree } from '../../project/story-worktrees.ts';
import { chooseWorktreesFolder, type WorktreesFolder } from '../../project/worktrees-folder.ts';
import type { Worker } from '../context.ts';

type Asking = Pick<Worker, 'paths' | 'storyId' | 'config' | 'env'>;

/** Where the worktree of a story is or will be. `reason` says why it must be inside `.saga`, if it must. */
export interface WorktreePlace {
  folder: string;
  reason?: string;
}

/** Returns the real path, as git does, and creates the parent folder. */
export function ensureWorktreePlace(worker: Asking): WorktreePlace {
  const found = findStoryWorktree(worker.paths, worker.storyId);
  if (found?.isOwn) return { folder: toReal(found.folder) };
  const { folder, reason } = ensureWorktreesFolder(worker);
  const name = worktreeName(worker.paths, worker.storyId);
  return { folder: join(toReal(folder), name), reason };
}

/** Like ensureWorktreePlace, but creates nothing. */
export function findWorktreePlace({ paths, storyId, config, env }: Asking): WorktreePlace {
  const found = findStoryWorktree(paths, storyId);
  if (found?.isOwn) return { folder: toReal(found.folder) };
  const { folder, ...more } = chooseWorktreesFolder(paths, config.worktree.folder, env.HOME);
  return { folder: join(toReal(folder), worktreeName(paths, storyId)), ...more };
}

function ensureWorktreesFolder({ paths, config, env }: Asking): WorktreesFolder {
  const chosen = chooseWorktreesFolder(paths, config.worktree.folder, env.HOME);
  const isDefault = config.worktree.folder === WORKTREE_FOLDER && chosen.reason === undefined;
  try {
    ensureFolder(chosen.folder);
    return chosen;
  } catch (error) {
    if (!isDefault) throw toWriteError(error, chosen.folder);
    ensureFolder(paths.innerWorktrees);
    return { folder: paths.innerWorktrees, reason: messageOf(error) };
  }
}
