import { homedir } from 'node:os';
import { fetchBranch } from '../../git/find-base.ts';
import type { Worktree } from '../../git/worktree.ts';
import type { BranchMove } from '../../sandbox/branch-after-run.ts';
import {
  enclosureFolder,
  privateAgentFolder,
  quarantineOf,
  removeEnclosure,
} from '../../sandbox/enclosure.ts';
import { takeOver } from '../../sandbox/git-quarantine.ts';
import type { Worker } from '../context.ts';
import { tellMove } from './tell-move.ts';

/**
 * Takes the commits of an enclosed run over and removes everything that was private to it. Can be
 * repeated. `note` gets the commit that a person gave the branch meanwhile, before the branch moves on. Returns in
 * words what the person did.
 */
export async function leaveEnclosure(
  worker: Worker,
  worktree: Worktree,
  runId: string,
  note: (onto: string) => void = () => {},
): Promise<string | undefined> {
  const { env, emit, agent, agentHome } = worker;
  const quarantine = quarantineOf(worktree, runId);
  let moved: string | undefined;
  const onMoved = async (move: BranchMove) => {
    note(move.to);
    moved = await tellMove(worker, worktree, move);
  };
  const { left, hasFetched } = await takeOver(
    worktree,
    quarantine,
    runId,
    worktree.git.env,
    onMoved,
  );
  const { remote, branch, pinned } = worktree.base;
  if (hasFetched && remote !== undefined && branch !== undefined) {
    await fetchBranch(worktree.git, remote, branch, { emit, pinned });
  }
  if (left.length > 0) emit('refs:trashed', { refs: left });
  const folder = enclosureFolder(worktree, runId);
  const inside = privateAgentFolder(folder, env.HOME ?? homedir(), agentHome.config);
  agent.takeBack(agentHome, inside, worktree.folder);
  removeEnclosure(worktree, runId);
  return moved;
}
