import { homedir } from 'node:os';
import { explainNetwork } from '../../sandbox/explain-network.ts';
import { describeRefusal, findRefusal } from '../../sandbox/find-refusal.ts';
import type { Worker } from '../context.ts';

type Walled = Pick<Worker, 'bubblewrap' | 'config' | 'env' | 'refusedHosts'>;

/**
 * Says which wall of the sandbox may have made a command fail, and which setting opens it. Returns
 * undefined if no wall shows in what the command printed.
 */
export function explainFailure(
  { bubblewrap, config, env, refusedHosts = new Set() }: Walled,
  folder: string,
  output: string,
): string | undefined {
  if (bubblewrap === undefined) return undefined;
  const homeFolder = env.HOME ?? homedir();
  const refusal = findRefusal(output, { folder, homeFolder, settings: config.sandbox });
  if (refusal) return describeRefusal(refusal);
  return explainNetwork(output, [...refusedHosts], config.sandbox);
}

/** What a run in the sandbox can write besides its worktree, as its prompt names it. */
export function listOpenPaths({ bubblewrap, config }: Walled): string | undefined {
  if (bubblewrap === undefined) return undefined;
  return ['this folder', '/tmp', ...config.sandbox.allow].join(', ');
}

/** What a run in the sandbox can reach, as its prompt says it. */
export function describeReach({ config }: Walled): string {
  const { network, domains } = config.sandbox;
  if (network === 'open') return 'Servers on this machine and the network can be reached.';
  const more = network === 'list' && domains.length > 0 ? ` but ${domains.join(', ')}` : '';
  return `Servers that you start can be reached on 127.0.0.1. No other server can be reached${more}. A connection that is refused with code 403 met the wall; the settings that open it are sandbox.network and sandbox.domains.`;
}
