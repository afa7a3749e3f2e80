import { homedir } from 'node:os';
import type { Worktree } from '../../git/worktree.ts';
import { loadStory } from '../../plan/stories.ts';
import type { Environment } from '../../processes/run.ts';
import type { Confinement } from '../../scope/confinement.ts';
import { findProtected } from '../../scope/protected-files.ts';
import { describeSurroundings, type Surroundings } from '../../scope/surroundings.ts';
import { describeProtection, type Worker } from '../context.ts';

/** Describes what the runs of a worker may read, write and reach. */
export async function describeConfinement(
  worker: Worker,
  worktree: Worktree,
): Promise<Confinement> {
  const { storyId, env, agent, agentHome } = worker;
  const { folder, git, base } = worktree;
  const surroundings = findSurroundings(worker);
  const { story } = loadStory(worker.paths, storyId);
  const protection = await describeProtection(worker, story, git, base.commit);
  return {
    storyId,
    worktree: folder,
    homeFolder: findHomeFolder(env),
    isProtected: (path) => findProtected([path], protection).length > 0,
    ...agent.describeScope(agentHome, folder),
    surroundings,
  };
}

/**
 * Describes what the commands of a worker may use outside the worktree. Returns undefined if the sandbox is off,
 * because then a command may use the whole machine.
 */
export function findSurroundings({
  bubblewrap,
  config,
  env,
  hidden = [],
}: Pick<Worker, 'bubblewrap' | 'config' | 'env' | 'hidden'>): Surroundings | undefined {
  if (bubblewrap === undefined) return undefined;
  return describeSurroundings(config.sandbox, findHomeFolder(env), hidden);
}

const findHomeFolder = (env: Environment) => env.HOME ?? homedir();
