import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Evidence } from '@saga-ai/types/run/evidence';
import { expect, test } from 'vitest';
import { pathWithout } from '../../../../test/rig/programs/path-without.ts';
import { createTempFolder } from '../../../../test/rig/project/temp-folder.ts';
import { checkSeal } from './check-seal.ts';
import { sealEvidence } from './seal-evidence.ts';
import { runSshKeygen } from './ssh-keygen.ts';

const EVIDENCE = Evidence.parse({
  version: 1,
  story: 'cart',
  outcome: 'passed',
  base: 'a'.repeat(40),
  head: 'b'.repeat(40),
  tree: 'c'.repeat(40),
  startedAt: '2026-01-01T00:00:00.000Z',
  endedAt: '2026-01-01T00:01:00.000Z',
  checks: [{ name: 'tasks', outcome: 'passed', detail: '1 of 1 completed' }],
  restored: [],
  later: { field: 'of a newer version' },
});

function createHome() {
  const temp = createTempFolder();
  const path = join(temp.path, 'home');
  mkdirSync(path);
  const env = { PATH: process.env.PATH ?? '', HOME: path };
  const keygen = (name: string, passphrase = '') =>
    runSshKeygen(['-q', '-t', 'ed25519', '-N', passphrase, '-f', join(path, name)], env);
  const settings = (text: string) => writeFileSync(join(path, '.gitconfig'), text);
  return { path, env, keygen, settings, [Symbol.dispose]: () => temp[Symbol.dispose]() };
}

const signsWith = (key: string) => `[gpg]\n\tformat = ssh\n[user]\n\tsigningKey = ${key}\n`;

test('without a key of the person, SAGA makes one that nobody else can read', async () => {
  using home = createHome();
  const { evidence, ...more } = await sealEvidence(EVIDENCE, home.env);
  expect(more).toEqual({});
  expect(evidence.seal).toMatchObject({ by: 'saga', key: expect.stringMatching(/^SHA256:/) });
  const file = join(home.path, '.local/state/saga/keys/evidence');
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(statSync(join(file, '..')).mode & 0o777).toBe(0o700);
  expect(await checkSeal(evidence, home.env)).toEqual({
    result: 'known',
    detail: `signed with ${evidence.seal?.key} (this machine's key)`,
  });
  const again = await sealEvidence(EVIDENCE, home.env);
  expect(again.evidence.seal?.key).toBe(evidence.seal?.key);
});

test('neither the order of keys nor spaces matter, but every value does', async () => {
  using home = createHome();
  const { evidence } = await sealEvidence(EVIDENCE, home.env);
  const reversed = Object.fromEntries(Object.entries(evidence).toReversed());
  expect(await checkSeal(Evidence.parse(reversed), home.env)).toMatchObject({ result: 'known' });
  for (const changed of [
    { outcome: 'failed' },
    { head: 'd'.repeat(40) },
    { later: {} },
    { more: 1 },
    { seal: { ...evidence.seal, key: 'SHA256:other' } },
    { seal: { ...evidence.seal, signature: 'none' } },
  ]) {
    const forged = Evidence.parse({ ...evidence, ...changed });
    expect(await checkSeal(forged, home.env), JSON.stringify(changed)).toMatchObject({
      result: 'wrong',
    });
  }
});

test('the person’s signing key of git is used; others know it from their allowed signers', async () => {
  using home = createHome();
  await home.keygen('mine');
  home.settings(signsWith('~/mine.pub'));
  const { evidence, instead } = await sealEvidence(EVIDENCE, home.env);
  expect({ by: evidence.seal?.by, instead }).toEqual({ by: 'git', instead: undefined });
  expect((await checkSeal(evidence, home.env)).detail).toContain('(your git signing key)');

  using other = createHome();
  expect(await checkSeal(evidence, other.env)).toMatchObject({ result: 'unknown' });
  const publicKey = readFileSync(join(home.path, 'mine.pub'), 'utf8');
  writeFileSync(join(other.path, 'signers'), `ann@example.com ${publicKey}`);
  other.settings('[gpg "ssh"]\n\tallowedSignersFile = ~/signers\n');
  expect(await checkSeal(evidence, other.env)).toEqual({
    result: 'known',
    detail: `signed with ${evidence.seal?.key} (ann@example.com)`,
  });
});

test('a key with a passphrase does not stop the gate: SAGA’s own key signs, and it says why', async () => {
  using home = createHome();
  await home.keygen('locked', 'secret phrase');
  home.settings(signsWith(join(home.path, 'locked')));
  const { evidence, instead } = await sealEvidence(EVIDENCE, home.env);
  expect(evidence.seal?.by).toBe('saga');
  expect(instead).toMatch(/locked cannot sign unattended/);
});

test('without ssh-keygen, or a place for a key, evidence is unsigned and says so', async () => {
  using home = createHome();
  const { evidence: signed } = await sealEvidence(EVIDENCE, home.env);
  const without = {
    ...home.env,
    PATH: pathWithout({ home: home.path, environment: home.env }, 'ssh-keygen'),
  };
  expect(await sealEvidence(EVIDENCE, without)).toEqual({
    evidence: EVIDENCE,
    unsigned: 'ssh-keygen is not installed',
  });
  expect(await checkSeal(signed, without)).toMatchObject({ result: 'unchecked' });
  expect(await checkSeal(EVIDENCE, home.env)).toMatchObject({ result: 'unsigned' });
  expect(await sealEvidence(EVIDENCE, { PATH: home.env.PATH })).toMatchObject({
    unsigned: expect.stringContaining('HOME is not set'),
  });
  writeFileSync(join(home.path, 'file'), '');
  const nowhere = await sealEvidence(EVIDENCE, {
    ...home.env,
    XDG_STATE_HOME: join(home.path, 'file'),
  });
  expect(nowhere.unsigned).toBeTruthy();
  expect(existsSync(join(home.path, 'file/saga'))).toBe(false);
});
