import type { Config } from '@saga-ai/types/config';
import { formatEpicBranch } from '@saga-ai/types/words/names';
import { commitOf, loadRefs } from '../git/branches.ts';
import type { Git } from '../git/git.ts';
import { listEpicsAround } from '../plan/epics.ts';
import type { Paths } from '../project/paths.ts';

/**
 * Sets the branch that a story starts from and is merged into: the branch of the nearest epic around it that has one. A
 * branch that a person configured wins.
 */
export async function withEpicBase(
  config: Config,
  paths: Paths,
  storyId: string,
  git: Git,
): Promise<Config> {
  if (config.worktree.baseBranch !== null || config.epic.integrate !== 'branch') return config;
  const around = listEpicsAround(paths, storyId);
  if (around.length === 0) return config;
  const refs = await loadRefs(git).catch(() => undefined);
  // Preflight says what is wrong with the repository.
  if (!refs) return config;
  const branch = around.map(formatEpicBranch).find((it) => commitOf(refs, it) !== undefined);
  if (branch === undefined) return config;
  return { ...config, worktree: { ...config.worktree, baseBranch: branch } };
}
