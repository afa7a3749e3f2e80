import { join, resolve } from 'node:path';
import { acquireLock } from '../processes/lock.ts';
import type { Git } from './git.ts';

/** Longer than a fetch takes, and short enough that a remote which never answers holds up nobody for good. */
const WAIT_MS = 30_000;

/**
 * Runs alone among all workers of one repository. They share its refs, its config and its list of
 * worktrees, and git gives up when another git changes the same one at the same moment.
 *
 * The lock saves git a quarrel; it does not guard data, because git guards its own. So whoever cannot
 * get it goes on without it: git's own locks hold, and `openGit` asks again. It lies in git's folder,
 * which all worktrees share. Not reentrant.
 */
export async function withRepositoryLock<T>(git: Git, act: () => Promise<T>): Promise<T> {
  const lock = await tryLock(git);
  try {
    return await act();
  } finally {
    lock?.release();
  }
}

async function tryLock(git: Git): Promise<{ release(): void } | undefined> {
  const { code, stdout } = await git.attempt(['rev-parse', '--git-common-dir']);
  if (code !== 0) return undefined;
  // Relative to where git was asked, if it is the folder's own.
  const path = join(resolve(git.folder, stdout.replace(/\n$/, '')), 'saga-repository.lock');
  try {
    return await acquireLock(path, WAIT_MS);
  } catch {
    // Held for too long, or git's folder cannot be written: what git says of it then is the better word.
    return undefined;
  }
}
