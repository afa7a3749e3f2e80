import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { removeTree } from '../files/remove-tree.ts';
import { findOnPath } from '../processes/find-program.ts';
import { type Environment, type ProgramResult, runProgram } from '../processes/run.ts';

/** What a signature is for, so that none made for another purpose is accepted. */
export const NAMESPACE = 'saga-evidence';

/** Long enough for a person at the machine to touch a key. */
const LIMIT_MS = 15_000;

export const hasSshKeygen = (env: Environment) => findOnPath('ssh-keygen', env) !== undefined;

/** Runs ssh-keygen without a terminal: where it would ask for a passphrase, it fails. */
export function runSshKeygen(
  args: readonly string[],
  env: Environment,
  input = '',
): Promise<ProgramResult> {
  const unattended = { ...env, SSH_ASKPASS_REQUIRE: 'never', LC_ALL: 'C.UTF-8' };
  return runProgram('ssh-keygen', args, { cwd: '/', env: unattended, input, timeoutMs: LIMIT_MS });
}

/** Runs `act` with the path of a file that only this user can read, and removes the file. */
export async function withTempFile<T>(text: string, act: (file: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'saga-seal-'));
  try {
    const file = join(folder, 'file');
    writeFileSync(file, text, { mode: 0o600 });
    return await act(file);
  } finally {
    removeTree(folder);
  }
}
