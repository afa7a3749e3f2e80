import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Emit } from '@saga-ai/types/run/event';
import { openProcessTable } from '../processes/table.ts';
import type { Worktree } from './worktree.ts';

const PATIENCE = 20;

/**
 * Removes the locks that a killed git command left: every later command would fail. The run's
 * processes have ended by now. Another git may still be working, so it is given time. A lock that a
 * living process still holds stays, and git's own error will name it.
 */
export async function freeGitLocks(
  { gitFolder, folder, branch }: Pick<Worktree, 'gitFolder' | 'folder' | 'branch'>,
  emit: Emit,
): Promise<void> {
  const locks = new Map([
    ['index.lock', join(gitFolder, 'index.lock')],
    ['HEAD.lock', join(gitFolder, 'HEAD.lock')],
    [`${branch}.lock`, join(gitFolder, `../../refs/heads/${branch}.lock`)],
  ]);
  const isAnyThere = () => [...locks.values()].some((path) => existsSync(path));
  for (let i = 0; i < PATIENCE && isAnyThere(); i++) await sleep(50);
  for (const [lock, path] of locks) {
    if (!existsSync(path) || isGitAtWork(folder)) continue;
    rmSync(path, { force: true });
    emit('git:unlocked', { lock });
  }
}

function isGitAtWork(folder: string): boolean {
  const table = openProcessTable();
  return table
    .list()
    .filter(({ name, ended }) => name === 'git' && !ended)
    .some(({ pid }) => `${table.findFolder(pid) ?? ''}/`.startsWith(`${folder}/`));
}
