import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Emit } from '@saga-ai/types/run/event';
import { openProcessTable } from '../processes/table.ts';
import type { Worktree } from './worktree.ts';

const PATIENCE = 20;

/**
 * A git command that was killed in the middle leaves its lock, and every later one would fail. The
 * run's processes are gone by now; another git may be at work for a moment, so it is given time. One
 * that a person still has open keeps its lock: git's own words will say so.
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
