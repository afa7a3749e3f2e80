import { homedir } from 'node:os';
import { dirname } from 'node:path';
import type { Worktree } from '../../git/worktree.ts';
import type { Confinement } from '../../scope/confinement.ts';
import type { Worker } from '../context.ts';

/** What the runs of a worker may read, write and reach. */
export function describeConfinement(worker: Worker, worktree: Worktree): Confinement {
  const { storyId, env, agent, agentHome } = worker;
  const { folder, gitFolder } = worktree;
  // git keeps a worktree's own folder below `worktrees/` of the folder that all checkouts share.
  const sharedGitFolder = dirname(dirname(gitFolder));
  return {
    storyId,
    worktree: folder,
    writable: [sharedGitFolder],
    hosts: ['*'],
    homeFolder: env.HOME ?? homedir(),
    ...agent.describeScope(agentHome, folder),
  };
}
