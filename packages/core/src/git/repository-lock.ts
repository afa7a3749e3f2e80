import { join, resolve } from 'node:path';
import { acquireLock } from '../processes/lock.ts';
import type { Git } from './git.ts';

/**
 * Longer than a fetch takes, but short enough that a remote which never answers does not block other
 * workers for long.
 */
const WAIT_MS = 30_000;

/**
 * Runs `act` while no other worker of this repository runs one. Workers share its refs, its config and
 * its list of worktrees, and git fails if another git changes the same one at the same moment.
 *
 * The lock avoids such failures; it does not protect data, because git's own locks do. So if the lock
 * cannot be had, `act` runs without it, and `openGit` repeats commands that fail. The lock is in git's
 * folder, which all worktrees share. A stop ends the wait. Not reentrant.
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
  // git prints a relative path if the git folder is inside the folder.
  const path = join(resolve(git.folder, stdout.replace(/\n$/, '')), 'saga-repository.lock');
  try {
    return await acquireLock(path, WAIT_MS, git.limits?.ends.asking);
  } catch {
    // The lock is held for too long, or git's folder cannot be written: then git's own error is more useful.
    return undefined;
  }
}
