import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Worktree } from './ensure-worktree.ts';
import type { Emit } from './worker.ts';

const PATIENCE = 20;

/**
 * A git command that was killed in the middle leaves its lock, and every later one would fail. The
 * run's processes are gone by now; another git may be at work for a moment, so it is given time.
 */
export async function freeGitLocks({ gitFolder }: Worktree, emit: Emit): Promise<void> {
  for (const name of ['index.lock', 'HEAD.lock']) {
    const lock = join(gitFolder, name);
    for (let i = 0; i < PATIENCE && existsSync(lock); i++) await sleep(50);
    if (!existsSync(lock)) continue;
    rmSync(lock, { force: true });
    emit('git:unlocked', { lock: name });
  }
}
