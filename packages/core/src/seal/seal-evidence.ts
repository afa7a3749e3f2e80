import type { Evidence, Seal } from '@saga-ai/types/run/evidence';
import { messageOf } from '../errors.ts';
import { describeFailure } from '../processes/describe-failure.ts';
import type { Environment } from '../processes/run.ts';
import { formatSealedText } from './sealed-text.ts';
import { ensureOwnKey, findPersonKey, type PersonKey } from './signing-keys.ts';
import { hasSshKeygen, NAMESPACE, runSshKeygen, withTempFile } from './ssh-keygen.ts';

export interface Sealed {
  evidence: Evidence;
  /** Why the evidence is not signed. */
  unsigned?: string;
  /** Why SAGA's own key was used and not the person's. */
  instead?: string;
}

/**
 * Signs evidence with the person's SSH signing key, or with a key of SAGA's own if there is none that
 * works unattended. Never throws: evidence without a signature is evidence too.
 */
export async function sealEvidence(plain: Evidence, env: Environment): Promise<Sealed> {
  const { seal: _, ...evidence } = plain;
  if (!hasSshKeygen(env)) return { evidence, unsigned: NO_SSH_KEYGEN };
  const text = formatSealedText(evidence);
  try {
    const person = await findPersonKey(env);
    const byPerson = person && (await sign(text, person, env));
    if (byPerson && 'signature' in byPerson) {
      return { evidence: { ...evidence, seal: { ...byPerson, by: 'git' } } };
    }
    const instead = byPerson ? { instead: byPerson.reason } : {};
    const own = await ensureOwnKey(env);
    const byOwn = 'file' in own ? await sign(text, own, env) : own;
    if ('reason' in byOwn) return { evidence, unsigned: byOwn.reason, ...instead };
    return { evidence: { ...evidence, seal: { ...byOwn, by: 'saga' } }, ...instead };
  } catch (error) {
    return { evidence, unsigned: messageOf(error) };
  }
}

export const NO_SSH_KEYGEN = 'ssh-keygen is not installed';

type Signed = Pick<Seal, 'key' | 'signature'> | { reason: string };

async function sign(text: string, key: PersonKey, env: Environment): Promise<Signed> {
  if ('publicKey' in key) {
    return withTempFile(`${key.publicKey}\n`, (file) => signWith(text, ['-U', '-f', file], env));
  }
  return signWith(text, ['-f', key.file], env);
}

async function signWith(text: string, key: readonly string[], env: Environment): Promise<Signed> {
  const signed = await runSshKeygen(['-Y', 'sign', ...key, '-n', NAMESPACE], env, text);
  if (signed.code !== 0) {
    const file = key.at(-1) ?? '';
    return { reason: `${file} cannot sign unattended (${describeFailure(signed)})` };
  }
  const signature = signed.stdout;
  const found = await checkSignature(text, signature, env);
  return found === undefined
    ? { reason: 'the new signature does not match' }
    : { key: found, signature };
}

/** Returns the fingerprint of the key that made a signature, or undefined if it does not match the text. */
export async function checkSignature(
  text: string,
  signature: string,
  env: Environment,
): Promise<string | undefined> {
  return withTempFile(signature, async (file) => {
    const args = ['-Y', 'check-novalidate', '-n', NAMESPACE, '-s', file];
    const { code, stdout } = await runSshKeygen(args, env, text);
    return code === 0 ? /\bSHA256:\S+/.exec(stdout)?.[0] : undefined;
  });
}
