import { basename, join } from 'node:path';
import { ensureFolder } from '../../files/ensure-folder.ts';
import { findSessionFolder } from '../../files/session-folder.ts';
import { listWorktrees } from '../../git/git.ts';
import { openPlainGit } from '../../git/plain-git.ts';
import type { Worktree } from '../../git/worktree.ts';
import type { Environment } from '../../processes/run.ts';
import { listOwnFolders, type Paths } from '../../project/paths.ts';
import { findPersonConfig, findPersonState } from '../../project/person-folders.ts';
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
  paths,
  emit,
}: Worker): Promise<Pick<Worker, 'bubblewrap' | 'hidden' | 'refusedHosts'>> {
  const { sandbox } = config.worker;
  if (sandbox === 'off') return {};
  const found = await findBubblewrap(env, config.sandbox.network);
  if ('path' in found) {
    emit('sandbox:on', { program: found.path });
    const hidden = await listDoors(paths, env);
    return { bubblewrap: found.path, hidden, refusedHosts: new Set() };
  }
  if (sandbox === 'required') throw sandboxRequired(found);
  const { missing: reason, remedy: hint } = found;
  emit('sandbox:off', { reason, hint });
  return {};
}

/**
 * What opens the doors of SAGA itself: keys that sign evidence, trust, the dashboard's tokens, the settings with the
 * engine's password, and what SAGA writes about all stories.
 */
async function listDoors(paths: Paths, env: Environment): Promise<string[]> {
  const state = findPersonState(env);
  // A folder that is made later would be seen.
  if (state !== undefined) ensureFolder(state, 0o700);
  const person = await findPersonKey(env);
  const keys = person && 'file' in person ? [person.file, person.file.replace(/\.pub$/, '')] : [];
  const logs = findSessionFolder(env, process.getuid?.());
  const found = [
    state,
    findPersonConfig(env),
    paths.root.startsWith(`${logs}/`) ? undefined : logs,
  ];
  return [...found.filter((it) => it !== undefined), ...keys, ...listOwnFolders(paths)];
}

/**
 * Files with secrets that lie in the main checkout and are not in git, at any depth. A worktree has copies of those that
 * `.worktreeinclude` names.
 */
async function listEnvFiles({ paths }: Worker, { git }: Worktree): Promise<string[]> {
  const [main] = await listWorktrees(git);
  const checkouts = new Set([paths.root, ...(main ? [main.path] : [])]);
  const found = [...checkouts].map(async (folder) => {
    const there = openPlainGit(folder, git.env);
    const args = ['ls-files', '--others', '-z', '--exclude=node_modules/', '--'];
    // The main checkout of a bare repository has no files.
    const { code, stdout } = await there.attempt([...args, ':(glob)**/.env*']);
    return code === 0 ? stdout.split('\0').map((path) => join(folder, path)) : [];
  });
  const files = (await Promise.all(found)).flat();
  return [...new Set(files)].filter((path) => basename(path).startsWith('.env'));
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
  worker: Worker,
  worktree: Worktree,
  { surroundings, runId, program, env, listFolder, continues, checkout, network }: Enclosed,
): Promise<Enclosure | undefined> {
  const { bubblewrap, agent, agentHome, paths } = worker;
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
    denied: await listEnvFiles(worker, worktree),
    agent: files,
    network,
    programs: [program],
    env: { ...env, ...files?.variables },
  });
}
