import { type Finding, warning } from '@saga-ai/types/screens/finding';
import { count } from '@saga-ai/types/words/amounts';
import { SagaError } from '../errors.ts';
import { type Git, listWorktrees } from '../git/git.ts';
import { clearStaleLock } from '../processes/lock.ts';
import type { Environment } from '../processes/run.ts';
import { endOrphans } from '../processes/stop-program.ts';
import { displayPath } from '../project/display-path.ts';
import { buildRehearsalPaths, type Paths } from '../project/paths.ts';
import { discardRehearsal } from '../rehearsal/discard-rehearsal.ts';
import { lockRehearsal } from '../rehearsal/rehearsal-lock.ts';
import { listGone, listLocks, listRehearsals, openRepository } from './check-leftovers.ts';

export interface Cleared {
  /** What was done, in words. */
  fixed: string[];
  /** What could not be done. */
  left: Finding[];
}

/** Removes leftovers that certainly nobody uses. If one cannot be removed, reports it and goes on with the others. */
export async function clearLeftovers(paths: Paths, env: Environment): Promise<Cleared> {
  const cleared: Cleared = { fixed: [], left: [] };
  for (const { path } of listLocks(paths)) {
    clearStaleLock(path);
    cleared.fixed.push(`stale lock ${displayPath(paths.root, path)} removed`);
  }
  const ended = await endOrphans(paths.repository);
  if (ended > 0) {
    cleared.fixed.push(`${count(ended, 'process', 'processes')} that outlived a worker ended`);
  }
  const git = await openRepository(paths, env);
  if (!git) return cleared;
  for (const id of await listRehearsals(paths, git)) await clearRehearsal(paths, git, id, cleared);
  for (const { path } of listGone(paths, await listWorktrees(git), env)) {
    await git.run(['worktree', 'remove', '--force', path]);
    cleared.fixed.push(`git forgot the worktree ${path}, whose folder is gone`);
  }
  return cleared;
}

/** Removes a rehearsal while holding its lock, because another one may start at this moment. */
async function clearRehearsal(
  { root }: Paths,
  git: Git,
  id: string,
  { fixed, left }: Cleared,
): Promise<void> {
  const paths = buildRehearsalPaths(root);
  try {
    using _lock = await lockRehearsal(paths, id);
    const aside = await discardRehearsal(git, paths, id);
    const kept = aside ? `; what you had changed there: git show ${aside}` : '';
    fixed.push(`rehearsal of ${id} removed, with its branch${kept}`);
  } catch (error) {
    if (!(error instanceof SagaError)) throw error;
    left.push(warning('rehearsal', error.message, error.hint));
  }
}
