import { existsSync, linkSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { errorCodeOf } from '../errors.ts';
import { ensureFolder } from '../files/ensure-folder.ts';
import { removeTree } from '../files/remove-tree.ts';
import { describeFailure } from '../processes/describe-failure.ts';
import { type Environment, runProgram } from '../processes/run.ts';
import { findPersonState } from '../project/person-folders.ts';
import { runSshKeygen } from './ssh-keygen.ts';

/** The key with which a person signs commits: a file, or a public key whose other half an agent holds. */
export type PersonKey = { file: string } | { publicKey: string };

/**
 * Finds the person's SSH signing key in the settings of the person, never in those of a repository.
 * Returns undefined if git does not sign with SSH.
 */
export async function findPersonKey(env: Environment): Promise<PersonKey | undefined> {
  if ((await readGlobal('gpg.format', env)) !== 'ssh') return undefined;
  const key = await readGlobal('user.signingKey', env);
  if (key === undefined) return undefined;
  const publicKey = key.startsWith('key::') ? key.slice(5) : key;
  if (/^(ssh|ecdsa|sk)-\S+ /.test(publicKey)) return { publicKey };
  return { file: resolve(homeOf(env), key.replace(/^~\//, `${homeOf(env)}/`)) };
}

/** The file in which the person says whose signing keys they know. */
export async function findAllowedSigners(env: Environment): Promise<string | undefined> {
  const file = await readGlobal('gpg.ssh.allowedSignersFile', env);
  if (file === undefined) return undefined;
  const path = resolve(homeOf(env), file.replace(/^~\//, `${homeOf(env)}/`));
  return existsSync(path) ? path : undefined;
}

const homeOf = (env: Environment) => env.HOME ?? homedir();

async function readGlobal(key: string, env: Environment): Promise<string | undefined> {
  // The repository's own settings do not count, because a run may have written them.
  const args = ['config', '--global', '--includes', '--get', key];
  const { code, stdout } = await runProgram('git', args, { cwd: '/', env });
  return code === 0 && stdout.trim() !== '' ? stdout.trim() : undefined;
}

/** The folder of SAGA's own keys. Undefined if the environment names no home. */
function findKeysFolder(env: Environment): string | undefined {
  const state = findPersonState(env);
  return state === undefined ? undefined : join(state, 'keys');
}

/** The path of SAGA's own key; undefined if there is no home for it. */
export function findOwnKey(env: Environment): string | undefined {
  const folder = findKeysFolder(env);
  return folder === undefined ? undefined : join(folder, 'evidence');
}

/** Makes SAGA's own key if it is missing. Two workers may do so at the same time: the first one counts. */
export async function ensureOwnKey(
  env: Environment,
): Promise<{ file: string } | { reason: string }> {
  const file = findOwnKey(env);
  if (file === undefined) return { reason: 'HOME is not set, so there is no place for a key' };
  if (existsSync(file)) return { file };
  ensureFolder(join(file, '..'), 0o700);
  const temp = `${file}.${process.pid}.new`;
  removeTree(temp);
  const args = ['-q', '-t', 'ed25519', '-N', '', '-C', 'saga evidence', '-f', temp];
  const made = await runSshKeygen(args, env);
  if (made.code !== 0) return { reason: `ssh-keygen made no key (${describeFailure(made)})` };
  linkFirst(`${temp}.pub`, `${file}.pub`);
  linkFirst(temp, file);
  for (const name of [temp, `${temp}.pub`]) removeTree(name);
  return { file };
}

function linkFirst(from: string, to: string): void {
  try {
    linkSync(from, to);
  } catch (error) {
    if (errorCodeOf(error) !== 'EEXIST') throw error;
  }
}
