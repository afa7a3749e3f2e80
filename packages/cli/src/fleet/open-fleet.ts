import { readFileSync } from 'node:fs';
import { SagaError } from '@saga-ai/core/errors';
import type { Engine, RepositoryName } from '@saga-ai/core/fleet/engine';
import { nameRepository } from '@saga-ai/core/fleet/repository-name';
import { findRemote } from '@saga-ai/core/git/find-base';
import { type Git, openGit } from '@saga-ai/core/git/git';
import { pinRemote } from '@saga-ai/core/git/pins';
import { loadConfig } from '@saga-ai/core/plan/config';
import type { Paths } from '@saga-ai/core/project/paths';
import { findPersonSettings } from '@saga-ai/core/project/person-folders';
import { Config } from '@saga-ai/types/config';
import { withoutMark } from '@saga-ai/types/words/without-mark';
import { environment } from '../environment.ts';
import { URL_VARIABLE } from './may-have-engine.ts';

type Variables = Readonly<Record<string, string | undefined>>;

/** The engine and this project's place on it. */
export interface Fleet extends AsyncDisposable {
  engine: Engine;
  repository: RepositoryName;
  git: Git;
  remote: string;
  /** The address of the remote, as git uses it. */
  address: string;
  leaseMs: number;
}

/** Reads the settings of the engine. Outside a project, only those of the person and the environment count. */
export function readEngineSettings(
  paths: Paths | undefined,
  env: Variables = environment.variables(),
): Config['engine'] {
  if (paths) return loadConfig(paths, { environment: env }).config.engine;
  const file = findPersonSettings(env);
  const own = readOwn(file);
  const { engine } = Config.parse({ engine: own });
  const url = env[URL_VARIABLE];
  return url ? Config.parse({ engine: { ...own, url } }).engine : engine;
}

function readOwn(file: string | undefined): Record<string, unknown> {
  try {
    const found = JSON.parse(withoutMark(readFileSync(file ?? '', 'utf8'))) as { engine?: object };
    return { ...found.engine };
  } catch {
    // The person has no settings, or the check of the settings reports what is wrong with them.
    return {};
  }
}

export function requireUrl({ url }: Config['engine']): string {
  if (url !== null) return url;
  throw new SagaError(
    'usage',
    'No engine is set, so there is no fleet.',
    `Set its address: saga config engine.url postgres://…, or ${URL_VARIABLE}. To prepare a database: saga fleet init`,
  );
}

/** pg-boss is loaded here and nowhere else. */
export async function connect(
  { leaseSeconds, keepDays, ...settings }: Config['engine'],
  role: 'agent' | 'reader',
  name: string,
): Promise<Engine> {
  const url = requireUrl(settings as Config['engine']);
  const { openEngine } = await import('@saga-ai/engine/open-engine');
  return openEngine({ url, role, name, leaseSeconds, keepDays });
}

/** Opens the fleet of a project. Throws if no engine is set or it cannot be reached. */
export async function openFleet(paths: Paths): Promise<Fleet> {
  const env = environment.variables();
  const settings = readEngineSettings(paths, env);
  const git = openGit(paths.root, env);
  const place = await findRepository(git);
  const engine = await connect(settings, 'reader', 'saga');
  return {
    engine,
    ...place,
    git,
    leaseMs: settings.leaseSeconds * 1000,
    [Symbol.asyncDispose]: () => engine.close(),
  };
}

/** Finds the repository on the engine by the address of this project's remote. */
export async function findRepository(
  git: Git,
): Promise<Pick<Fleet, 'repository' | 'remote' | 'address'>> {
  const remote = await findRemote(git);
  if (remote === undefined) {
    throw new SagaError(
      'git-failed',
      'This repository has no remote, and the machines of a fleet share work through one.',
      'Add one: git remote add origin <address>, then git push -u origin main',
    );
  }
  const { fetchUrl } = await pinRemote(git, remote);
  return { repository: nameRepository(fetchUrl), remote, address: fetchUrl };
}
