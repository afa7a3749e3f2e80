import { homedir } from 'node:os';
import type { Worktree } from '../../git/worktree.ts';
import type { Environment } from '../../processes/run.ts';
import { findPersonState } from '../../project/person-folders.ts';
import { createEnclosure, type Enclosure } from '../../sandbox/enclosure.ts';
import { findBubblewrap, sandboxRequired } from '../../sandbox/find-bubblewrap.ts';
import { findPersonKey } from '../../seal/signing-keys.ts';
import type { Worker } from '../context.ts';

/** Finds the sandbox that the settings ask for. Throws if it is required and does not work. */
export async function findSandbox({
  config,
  env,
  emit,
}: Worker): Promise<Pick<Worker, 'bubblewrap' | 'hidden'>> {
  const { sandbox } = config.worker;
  if (sandbox === 'off') return {};
  const found = await findBubblewrap(env);
  if ('path' in found) {
    emit('sandbox:on', { program: found.path });
    return { bubblewrap: found.path, hidden: await listSigningKeys(env) };
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

interface Enclosed {
  runId: string;
  program: string;
  env: Environment;
  /** The folder of the agent's task list, if the agent runs inside. */
  listFolder?: string | undefined;
  /** Where the command runs, if not in the worktree: a checkout with a git folder of its own. */
  checkout?: string | undefined;
}

/** Builds the walls around one command of a worker, or returns undefined if the sandbox is off. */
export async function enclose(
  worker: Worker,
  worktree: Worktree,
  { runId, program, env, listFolder, checkout }: Enclosed,
): Promise<Enclosure | undefined> {
  const { bubblewrap, hidden = [], agent, agentHome, config, paths } = worker;
  if (bubblewrap === undefined) return undefined;
  const homeFolder = worker.env.HOME ?? homedir();
  const files =
    listFolder === undefined ? undefined : agent.describeFiles(agentHome, homeFolder, listFolder);
  return createEnclosure({
    bubblewrap,
    runId,
    worktree,
    ...(checkout === undefined ? {} : { checkout }),
    projectFolder: paths.root,
    cacheFolder: paths.cache,
    homeFolder,
    ...(files ? { agent: files } : {}),
    settings: { ...config.sandbox, hide: [...config.sandbox.hide, ...hidden] },
    programs: [program],
    env: { ...env, ...files?.variables },
  });
}
