import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Candidate } from '../measure/candidate.ts';
import { LIST, READY, VERSION } from '../measure/rows.ts';
import type { Plan } from '../project/plan.ts';
import { runOrStop } from '../project/run-or-stop.ts';
import { createBacklog } from './backlog.ts';
import { createDex } from './dex.ts';
import { ensurePeers } from './install-peers.ts';
import { deriveItems, type Item } from './items.ts';
import type { Peer } from './peer.ts';
import { createSeeds } from './seeds.ts';

/** The one whose speed is a target. */
export const SEEDS = 'seeds';

/** The peers, each with the same plans in its own format. */
export function preparePeers(
  workshop: string,
  plans: ReadonlyMap<number, Plan>,
  env: NodeJS.ProcessEnv,
): Candidate[] {
  const modules = ensurePeers(join(import.meta.dirname, '../../../.cache/bench-peers'));
  const peers = [createSeeds(modules), createDex(modules), createBacklog(modules)];
  return peers.flatMap((peer) => {
    const candidates = [candidate(peer, VERSION, workshop, env, ['--version'])];
    for (const [size, plan] of plans) {
      const folder = join(workshop, peer.name, String(size));
      mkdirSync(folder, { recursive: true });
      const items = deriveItems(plan);
      peer.write(folder, items);
      checkSeen(peer, folder, env, items, plan);
      candidates.push(
        candidate(peer, READY(size), folder, env, peer.ready),
        candidate(peer, LIST(size), folder, env, peer.list),
      );
    }
    return candidates;
  });
}

function candidate(
  peer: Peer,
  row: string,
  folder: string,
  env: NodeJS.ProcessEnv,
  args: readonly string[],
): Candidate {
  return { program: peer.name, row, command: [...peer.start, ...args], folder, env };
}

/** A peer that does not see every item, or sees others as ready, would be compared unfairly. */
function checkSeen(
  peer: Peer,
  folder: string,
  env: NodeJS.ProcessEnv,
  items: readonly Item[],
  plan: Plan,
): void {
  const [program = '', ...first] = peer.start;
  const ask = (args: readonly string[]) =>
    peer.count(runOrStop(program, [...first, ...args], folder, env));
  const all = ask(peer.countAll);
  const ready = ask(peer.countReady);
  if (all !== items.length || ready !== plan.ready) {
    throw new Error(
      `${peer.name} sees ${all} items, ${ready} ready; expected ${items.length} and ${plan.ready}.`,
    );
  }
}
