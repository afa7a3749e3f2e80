import { existsSync } from 'node:fs';
import type { Evidence } from '@saga-ai/types/run/evidence';
import type { Environment } from '../processes/run.ts';
import { checkSignature, NO_SSH_KEYGEN } from './seal-evidence.ts';
import { formatSealedText } from './sealed-text.ts';
import { findAllowedSigners, findOwnKey, findPersonKey } from './signing-keys.ts';
import { hasSshKeygen, runSshKeygen, withTempFile } from './ssh-keygen.ts';

export interface CheckedSeal {
  /**
   * known: signed with a key that this machine knows. unknown: signed with another key. wrong: the signature belongs to
   * other evidence. unsigned: there is no signature. unchecked: this machine cannot check the signature.
   */
  result: 'known' | 'unknown' | 'wrong' | 'unsigned' | 'unchecked';
  /** In words, for a person. */
  detail: string;
}

/** Checks whether evidence is as it was when it was signed, and whose key signed it. */
export async function checkSeal(evidence: Evidence, env: Environment): Promise<CheckedSeal> {
  const { seal } = evidence;
  if (!seal) return { result: 'unsigned', detail: 'the evidence is not signed' };
  if (!hasSshKeygen(env)) {
    const detail = `signed with ${seal.key}, but it cannot be checked here: ${NO_SSH_KEYGEN}`;
    return { result: 'unchecked', detail };
  }
  const key = await checkSignature(formatSealedText(evidence), seal.signature, env);
  if (key === undefined || key !== seal.key) {
    return {
      result: 'wrong',
      detail: 'the signature does not match: the evidence was changed after it was signed',
    };
  }
  const owner = await findOwner(key, seal.signature, env);
  if (owner !== undefined) return { result: 'known', detail: `signed with ${key} (${owner})` };
  return { result: 'unknown', detail: `signed with ${key}, a key that this machine does not know` };
}

async function findOwner(
  key: string,
  signature: string,
  env: Environment,
): Promise<string | undefined> {
  const own = findOwnKey(env);
  if (own !== undefined && (await readFingerprint(own, env)) === key) return "this machine's key";
  const person = await findPersonKey(env);
  if (person) {
    const found =
      'file' in person
        ? await readFingerprint(person.file, env)
        : await withTempFile(`${person.publicKey}\n`, (file) => readFingerprint(file, env));
    if (found === key) return 'your git signing key';
  }
  return findAllowed(signature, env);
}

async function readFingerprint(file: string, env: Environment): Promise<string | undefined> {
  if (!existsSync(file)) return undefined;
  const { stdout } = await runSshKeygen(['-l', '-E', 'sha256', '-f', file], env);
  return /\bSHA256:\S+/.exec(stdout)?.[0];
}

/** Returns the name that the person's file of allowed signers gives to the key. */
async function findAllowed(signature: string, env: Environment): Promise<string | undefined> {
  const signers = await findAllowedSigners(env);
  if (signers === undefined) return undefined;
  return withTempFile(signature, async (file) => {
    const args = ['-Y', 'find-principals', '-s', file, '-f', signers];
    const { code, stdout } = await runSshKeygen(args, env);
    return code === 0 && stdout.trim() !== '' ? stdout.trim().split('\n')[0] : undefined;
  });
}
