import { homedir } from 'node:os';
import type { Worktree } from '../../git/worktree.ts';
import type { Confinement } from '../../scope/confinement.ts';
import type { Worker } from '../context.ts';

/** What the runs of a worker may read and write. */
export function describeConfinement(worker: Worker, worktree: Worktree): Confinement {
  const { storyId, env, agent, agentHome } = worker;
  const { folder } = worktree;
  return {
    storyId,
    worktree: folder,
    homeFolder: env.HOME ?? homedir(),
    ...agent.describeScope(agentHome, folder),
  };
}
