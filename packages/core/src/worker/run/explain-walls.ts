import { explainNetwork } from '../../sandbox/explain-network.ts';
import { describeRefusal, findRefusal } from '../../sandbox/find-refusal.ts';
import type { Confinement } from '../../scope/confinement.ts';
import type { Worker } from '../context.ts';
import { findSurroundings } from './confine.ts';

type Walled = Pick<Worker, 'bubblewrap' | 'config' | 'env' | 'refusedHosts'>;

/**
 * Says which wall of the sandbox may have made a command fail, and which setting opens it. Returns undefined if the
 * output of the command points to no wall.
 */
export function explainFailure(worker: Walled, folder: string, output: string): string | undefined {
  const surroundings = findSurroundings(worker);
  if (surroundings === undefined) return undefined;
  const { config, refusedHosts = new Set() } = worker;
  const refusal = findRefusal(output, { folder, surroundings, settings: config.sandbox });
  if (refusal) return describeRefusal(refusal);
  return explainNetwork(output, [...refusedHosts], surroundings.reach);
}

/** Lists, for the prompt, what a run in the sandbox can write besides its worktree. */
export function listOpenPaths({ surroundings }: Confinement): string | undefined {
  if (surroundings === undefined) return undefined;
  return ['this folder', '/tmp', ...surroundings.writable].join(', ');
}

/** Describes, for the prompt, what a run in the sandbox can reach. */
export function describeReach({ surroundings }: Confinement): string | undefined {
  if (surroundings === undefined) return undefined;
  const { network, domains } = surroundings.reach;
  if (network === 'open') return 'Servers on this machine and the network can be reached.';
  const more = network === 'list' && domains.length > 0 ? ` but ${domains.join(', ')}` : '';
  return `Servers that you start can be reached on 127.0.0.1. No other server can be reached${more}. A connection that is refused with code 403 met the wall; the settings that open it are sandbox.network and sandbox.domains.`;
}
