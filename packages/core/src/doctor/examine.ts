import { Config } from '@saga-ai/types/config';
import { type Finding, ok, warning } from '@saga-ai/types/screens/finding';
import { claude } from '../agents/claude/agent.ts';
import { SagaError } from '../errors.ts';
import { checkPullRequests } from '../forge/check-pull-requests.ts';
import { client, login, sandboxPrograms } from '../needs/client-needs.ts';
import { MACHINE_NEEDS, NEEDS } from '../needs/list.ts';
import { loadConfigOrDefaults } from '../plan/config.ts';
import type { Environment } from '../processes/run.ts';
import { findGitRoot } from '../project/find-project.ts';
import { buildPaths } from '../project/paths.ts';
import { listProjectParts } from '../trust/list-parts.ts';
import { filterUntrusted } from '../trust/require-trust.ts';
import type { JudgedPart } from '../trust/trust-part.ts';
import { checkClient } from './check-client.ts';
import { checkLeftovers } from './check-leftovers.ts';
import { checkNeeds } from './check-needs.ts';
import { checkNotify } from './check-notify.ts';
import { checkGh, checkNode, checkSshKeygen, checkTmux } from './check-programs.ts';
import { checkThisProject } from './check-project.ts';
import { checkSandbox } from './check-sandbox.ts';
import { checkEnvironmentFiles, checkSessionFolder } from './check-sessions.ts';

export interface Examination {
  /** The folder in which the command was started. */
  folder: string;
  /** The project around that folder, if there is one. */
  root: string | undefined;
  env: Environment;
  /** The client's own folder, with the person's settings. */
  clientHome: string;
  userId: number | undefined;
  nodeVersion: string;
  modelUrl: string;
  /** Aborted when the person does not want to wait. */
  stop: AbortSignal;
}

/** Checks everything a story needs, all at once. Lists the machine first, then the project. */
export async function examine(examination: Examination): Promise<Finding[]> {
  const { folder, root, env, clientHome, userId, nodeVersion, modelUrl, stop } = examination;
  const place = root ?? folder;
  const config =
    root === undefined
      ? Config.parse({})
      : loadConfigOrDefaults(buildPaths(root), { environment: env });
  // These are checked separately, more closely than preflight has time for.
  const needs = (root === undefined ? MACHINE_NEEDS : NEEDS).filter(
    (need) => ![client, login, sandboxPrograms].includes(need),
  );
  const untrusted = root === undefined ? [] : listUntrusted(root, env);
  const groups = await Promise.all([
    checkNode(nodeVersion),
    checkNeeds(needs, { root: place, config, env, agent: claude }),
    root === undefined ? [] : checkSandbox(config, env),
    checkTmux(place, env),
    checkSshKeygen(env),
    checkClient({
      folder: place,
      env,
      clientHome,
      configured: config.worker.claudePath,
      modelUrl,
      stop,
      // The login is asked in the project's folder, where its settings may name a program for it.
      asksLogin: untrusted.length === 0,
    }),
    root === undefined ? checkGh(place, env) : describePullRequests(root, env),
    checkSessionFolder(env, userId),
    checkEnvironmentFiles(env, userId),
    root === undefined ? [] : describeTrust(untrusted),
    root === undefined ? [] : checkNotify(buildPaths(root), config, env),
    root === undefined ? describeNoProject(folder) : checkThisProject(buildPaths(root), env),
    root === undefined ? [] : checkLeftovers(buildPaths(root), env, clientHome),
  ]);
  return groups.flat();
}

function listUntrusted(root: string, env: Environment): JudgedPart[] {
  const paths = buildPaths(root);
  try {
    return filterUntrusted(paths, listProjectParts(paths), env);
  } catch (error) {
    // Settings that cannot be read start nothing; the check of the settings reports them.
    if (error instanceof SagaError) return [];
    throw error;
  }
}

function describeTrust(untrusted: readonly JudgedPart[]): Finding {
  if (untrusted.length === 0) return ok('trust', 'everything that this project runs is known');
  const names = untrusted.map(({ name }) => name).join(', ');
  const what = `you have not agreed to what this project would run: ${names}`;
  return warning('trust', what, 'saga trust');
}

function describeNoProject(folder: string): Finding {
  const fix = findGitRoot(folder) === undefined ? 'git init, then saga init' : 'saga init';
  return warning('project', 'no .saga folder here or above', fix);
}

/** If gh is missing, the line about pull requests says so where this project would have some. */
async function describePullRequests(root: string, env: Environment): Promise<Finding[]> {
  const [gh, pullRequests] = await Promise.all([
    checkGh(root, env),
    checkPullRequests(root, env, { asksGitHub: true }),
  ]);
  return gh.state === 'ok' ? [gh, pullRequests] : [pullRequests];
}
