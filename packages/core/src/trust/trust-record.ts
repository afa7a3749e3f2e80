import { readFileSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { SagaError, toWriteError } from '../errors.ts';
import { replacePrivately } from '../files/atomic-write.ts';
import { ensureFolder } from '../files/ensure-folder.ts';
import { formatJson } from '../files/json-text.ts';
import { withLock } from '../processes/lock.ts';
import type { Environment } from '../processes/run.ts';
import { RUN_VARIABLE } from '../processes/variables.ts';
import type { Paths } from '../project/paths.ts';
import { findPersonState } from '../project/person-folders.ts';
import { type AgreedParts, addParts, type TrustPart } from './trust-part.ts';

/** What a person agreed to, for each project by its real path. It is outside of every repository. */
interface TrustFile {
  version: 1;
  projects: Record<string, AgreedParts>;
}

/** Loads what the person agreed to in this project. A record that cannot be read counts as empty. */
export function loadAgreed(paths: Paths, env: Environment): AgreedParts {
  const file = findTrustFile(env);
  if (file === undefined) return {};
  const { projects } = readTrustFile(file);
  const key = realpathSync(paths.root);
  return (Object.hasOwn(projects, key) ? projects[key] : undefined) ?? {};
}

/** Remembers that the person agreed to these parts. Throws inside a run: a run cannot agree for a person. */
export async function saveAgreed(
  paths: Paths,
  parts: readonly TrustPart[],
  env: Environment,
): Promise<void> {
  refuseRun(env);
  await change(env, (projects) => {
    const key = realpathSync(paths.root);
    const before = (Object.hasOwn(projects, key) ? projects[key] : undefined) ?? {};
    return { ...projects, [key]: addParts(before, parts) };
  });
}

/**
 * Remembers that the person agreed to a text, because they just wrote it with a command of SAGA. Does nothing in a run,
 * or if the environment names no home; a later run then asks.
 */
export async function agreeToOwn(
  paths: Paths,
  parts: readonly TrustPart[],
  env: Environment,
): Promise<void> {
  if (parts.length === 0 || env[RUN_VARIABLE] || findTrustFile(env) === undefined) return;
  try {
    await saveAgreed(paths, parts, env);
  } catch (error) {
    // The command must not fail because the home cannot be written. The next run asks.
    if (!(error instanceof SagaError)) throw error;
  }
}

/** Forgets everything about this project. Returns false if nothing was known. */
export async function forgetAgreed(paths: Paths, env: Environment): Promise<boolean> {
  refuseRun(env);
  const key = realpathSync(paths.root);
  if (Object.keys(loadAgreed(paths, env)).length === 0) return false;
  await change(env, ({ [key]: _, ...others }) => others);
  return true;
}

export function findTrustFile(env: Environment): string | undefined {
  const folder = findPersonState(env);
  return folder === undefined ? undefined : join(folder, 'trust.json');
}

async function change(
  env: Environment,
  edit: (projects: TrustFile['projects']) => TrustFile['projects'],
): Promise<void> {
  const file = findTrustFile(env);
  if (file === undefined) {
    throw new SagaError(
      'permission-denied',
      'HOME is not set, so SAGA cannot remember that you trust this project.',
      'Set HOME, or set SAGA_TRUST=1 for this one command.',
    );
  }
  try {
    ensureFolder(join(file, '..'), 0o700);
  } catch (error) {
    throw toWriteError(error, file);
  }
  await withLock(`${file}.lock`, () => {
    const projects = edit(readTrustFile(file).projects);
    replacePrivately(file, formatJson({ version: 1, projects }));
  });
}

function readTrustFile(file: string): TrustFile {
  try {
    const { projects } = JSON.parse(readFileSync(file, 'utf8')) as Partial<TrustFile>;
    if (typeof projects === 'object' && projects !== null) return { version: 1, projects };
  } catch {
    // The record is missing or broken, so the person has agreed to nothing. The next answer writes the record again.
  }
  return { version: 1, projects: {} };
}

function refuseRun(env: Environment): void {
  if (!env[RUN_VARIABLE]) return;
  throw new SagaError(
    'untrusted',
    'A run cannot say whether a project is trusted; only a person can.',
    'Ask the person to run saga trust in a terminal.',
  );
}
