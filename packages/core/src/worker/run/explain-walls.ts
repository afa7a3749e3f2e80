import { homedir } from 'node:os';
import { describeRefusal, findRefusal } from '../../sandbox/find-refusal.ts';
import type { Worker } from '../context.ts';

type Walled = Pick<Worker, 'bubblewrap' | 'config' | 'env'>;

/**
 * Says which wall of the sandbox may have made a command fail, and which setting opens it. Returns
 * undefined if no wall shows in what the command printed.
 */
export function explainFailure(
  { bubblewrap, config, env }: Walled,
  folder: string,
  output: string,
): string | undefined {
  if (bubblewrap === undefined) return undefined;
  const homeFolder = env.HOME ?? homedir();
  const refusal = findRefusal(output, { folder, homeFolder, settings: config.sandbox });
  return refusal && describeRefusal(refusal);
}

/** What a run in the sandbox can write besides its worktree, as its prompt names it. */
export function listOpenPaths({ bubblewrap, config }: Walled): string | undefined {
  if (bubblewrap === undefined) return undefined;
  return ['this folder', '/tmp', ...config.sandbox.allow].join(', ');
}
