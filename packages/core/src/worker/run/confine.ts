import { homedir } from 'node:os';
import type { Worktree } from '../../git/worktree.ts';
import { loadStory } from '../../plan/stories.ts';
import type { Confinement } from '../../scope/confinement.ts';
import { findProtected } from '../../scope/protected-files.ts';
import { describeProtection, type Worker } from '../context.ts';

/** What the runs of a worker may read and write. */
export function describeConfinement(worker: Worker, worktree: Worktree): Confinement {
  const { storyId, env, agent, agentHome } = worker;
  const { folder } = worktree;
  const protection = describeProtection(worker, loadStory(worker.paths, storyId).story);
  return {
    storyId,
    worktree: folder,
    homeFolder: env.HOME ?? homedir(),
    isProtected: (path) => findProtected([path], protection).length > 0,
    ...agent.describeScope(agentHome, folder),
  };
}
