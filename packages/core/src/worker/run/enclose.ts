import type { Worktree } from '../../git/worktree.ts';
import type { Environment } from '../../processes/run.ts';
import { findPersonState } from '../../project/person-folders.ts';
import { listAllowedHosts } from '../../sandbox/allowed-hosts.ts';
import { createEnclosure, type Enclosure } from '../../sandbox/enclosure.ts';
import { findBubblewrap, sandboxRequired } from '../../sandbox/find-bubblewrap.ts';
import { createNetworkWall, type NetworkWall } from '../../sandbox/network-wall.ts';
import type { Surroundings } from '../../scope/surroundings.ts';
import { findPersonKey } from '../../seal/signing-keys.ts';
import type { Worker } from '../context.ts';

/** Finds the sandbox that the settings ask for. Throws if it is required and does not work. */
export async function findSandbox({
  config,
  env,
  emit,
}: Worker): Promise<Pick<Worker, 'bubblewrap' | 'hidden' | 'refusedHosts'>> {
  const { sandbox } = config.worker;
  if (sandbox === 'off') return {};
  const found = await findBubblewrap(env, config.sandbox.network);
  if ('path' in found) {
    emit('sandbox:on', { program: found.path });
    const hidden = await listSigningKeys(env);
    return { bubblewrap: found.path, hidden, refusedHosts: new Set() };
  }
  if (sandbox === 'required') throw sandboxRequired(found);
  const { missing: reason, remedy: hint } = found;
  emit('sandbox:off', { reason, hint });
  return {};
}

/** The keys that sign evidence. */
async function listSigningKeys(env: Environment): Promise<string[]> {
  const [folder, person] = [findPersonState(env), await findPersonKey(env)];
  const file = person && 'file' in person ? [person.file, person.file.replace(/\.pub$/, '')] : [];
  return [...(folder === undefined ? [] : [folder]), ...new Set(file)];
}

/**
 * Builds the way out of one sandbox. Returns undefined if the sandbox is off or its network is open.
 * `env` says where the model is; `addresses` are further ones on this machine.
 */
export function openWayOut(
  { refusedHosts, agent, emit }: Worker,
  surroundings: Surroundings | undefined,
  env: Environment,
  addresses: readonly string[] = [],
): NetworkWall | undefined {
  if (surroundings === undefined) return undefined;
  const allowed = listAllowedHosts(surroundings.reach, agent.listEndpoints(env));
  if (allowed === undefined) return undefined;
  return createNetworkWall({
    allowed,
    ports: addresses.map((it) => Number(new URL(it).port)),
    env,
    onRefused(host, port) {
      const refused = `${host}:${port}`;
      if (refusedHosts?.has(refused)) return;
      refusedHosts?.add(refused);
      emit('network:refused', { host: refused });
    },
  });
}

interface Enclosed {
  /** What the command may use outside the worktree. */
  surroundings: Surroundings | undefined;
  runId: string;
  program: string;
  env: Environment;
  /** The folder of the agent's task list, if the agent runs inside. */
  listFolder?: string | undefined;
  /** The conversation that the agent goes on with. */
  continues?: string | undefined;
  /**
   * The clean checkout in which the command runs, with a git folder of its own. Undefined if it runs in the worktree.
   */
  checkout?: string | undefined;
  network?: NetworkWall | undefined;
}

/** Builds the walls around one command of a worker, or returns undefined if the sandbox is off. */
export async function enclose(
  { bubblewrap, agent, agentHome, paths }: Worker,
  worktree: Worktree,
  { surroundings, runId, program, env, listFolder, continues, checkout, network }: Enclosed,
): Promise<Enclosure | undefined> {
  if (bubblewrap === undefined || surroundings === undefined) return undefined;
  const files =
    listFolder === undefined
      ? undefined
      : agent.describeFiles(agentHome, surroundings.homeFolder, {
          listFolder,
          worktree: worktree.folder,
          continues,
        });
  return createEnclosure({
    bubblewrap,
    runId,
    worktree,
    checkout,
    projectFolder: paths.root,
    cacheFolder: paths.cache,
    surroundings,
    agent: files,
    network,
    programs: [program],
    env: { ...env, ...files?.variables },
  });
}
