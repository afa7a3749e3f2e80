import { Config } from '@saga-ai/types/config';
import { type Finding, ok, warning } from '@saga-ai/types/screens/finding';
import { agent } from '../agents/chosen.ts';
import { SagaError } from '../errors.ts';
import { checkPullRequests } from '../forge/check-pull-requests.ts';
import { client, login, sandboxPrograms } from '../needs/client-needs.ts';
import { MACHINE_NEEDS, NEEDS } from '../needs/list.ts';
import type { Need } from '../needs/need.ts';
import { loadConfigOrDefaults } from '../plan/config.ts';
import type { Environment } from '../processes/run.ts';
import { findGitRoot } from '../project/find-project.ts';
import { buildPaths } from '../project/paths.ts';
import { listProjectParts } from '../trust/list-parts.ts';
import { filterUntrusted } from '../trust/require-trust.ts';
import type { JudgedPart } from '../trust/trust-part.ts';
import { checkLeftovers } from './check-leftovers.ts';
import { checkNeeds, type Look } from './check-needs.ts';
import { checkNotify } from './check-notify.ts';
import { checkGh, checkNode, checkSshKeygen, checkTmux } from './check-programs.ts';
import { checkThisProject } from './check-project.ts';
import { checkEnvironmentFiles, checkSessionFolder } from './check-sessions.ts';
import { lookAtClient } from './look-at-client.ts';
import { lookAtSandbox } from './look-at-sandbox.ts';

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
  /** The signal that is aborted when the person does not want to wait any longer. */
  stop: AbortSignal;
}

/** Checks everything a story needs, all at once. Lists the machine first, then the project. */
export async function examine(examination: Examination): Promise<Finding[]> {
  const { folder, root, env, clientHome, userId, nodeVersion } = examination;
  const place = root ?? folder;
  const config =
    root === undefined
      ? Config.parse({})
      : loadConfigOrDefaults(buildPaths(root), { environment: env });
  const untrusted = root === undefined ? [] : listUntrusted(root, env);
  const groups = await Promise.all([
    checkNode(nodeVersion),
    checkNeeds(
      root === undefined ? MACHINE_NEEDS : NEEDS,
      {
        ...{ root: place, config, env, agent, agentHome: { config: clientHome } },
        isThorough: true,
      },
      new Map<Need, Look>([
        [sandboxPrograms, lookAtSandbox(config)],
        [
          client,
          lookAtClient({ ...examination, folder: place, configured: config.worker.claudePath }),
        ],
        // The login is asked in the project's folder, where its settings may name a program for it.
        [login, untrusted.length === 0 ? {} : { instead: LOGIN_NOT_ASKED }],
      ]),
    ),
    checkTmux(place, env),
    checkSshKeygen(env),
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

const LOGIN_NOT_ASKED = warning(
  'login',
  'not checked: this project is not trusted yet',
  'saga trust',
);

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

/**
 * Describes whether this project gets pull requests. The line says so if gh is missing and the project would have some.
 */
async function describePullRequests(root: string, env: Environment): Promise<Finding[]> {
  const [gh, pullRequests] = await Promise.all([
    checkGh(root, env),
    checkPullRequests(root, env, { asksGitHub: true }),
  ]);
  return gh.state === 'ok' ? [gh, pullRequests] : [pullRequests];
}
