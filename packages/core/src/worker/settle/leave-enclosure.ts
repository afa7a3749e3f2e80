import { homedir } from 'node:os';
import { fetchBranch } from '../../git/find-base.ts';
import type { Worktree } from '../../git/worktree.ts';
import {
  enclosureFolder,
  privateAgentFolder,
  quarantineOf,
  removeEnclosure,
} from '../../sandbox/enclosure.ts';
import { takeOver } from '../../sandbox/git-quarantine.ts';
import type { Worker } from '../context.ts';

/**
 * Takes the commits of an enclosed run over and removes everything that was private to it. Can be
 * repeated.
 */
export async function leaveEnclosure(
  { env, emit, agent, agentHome }: Worker,
  worktree: Worktree,
  runId: string,
): Promise<void> {
  const quarantine = quarantineOf(worktree, runId);
  const { left, hasFetched } = await takeOver(worktree, quarantine, runId, worktree.git.env);
  const { remote, branch, pinned } = worktree.base;
  if (hasFetched && remote !== undefined && branch !== undefined) {
    await fetchBranch(worktree.git, remote, branch, { emit, pinned });
  }
  if (left.length > 0) emit('refs:trashed', { refs: left });
  const folder = enclosureFolder(worktree, runId);
  const inside = privateAgentFolder(folder, env.HOME ?? homedir(), agentHome.config);
  agent.takeBack(agentHome, inside, worktree.folder);
  removeEnclosure(worktree, runId);
}
