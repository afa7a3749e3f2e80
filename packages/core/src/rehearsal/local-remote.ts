import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { SagaError } from '../errors.ts';
import { findRemote } from '../git/find-base.ts';
import { type Git, openGit, withSettings } from '../git/git.ts';
import type { Environment } from '../processes/run.ts';

/**
 * Creates a stand-in for the project's remote on this machine; a push goes only there. It borrows all
 * objects, so it costs neither time nor space, however large the repository is. With the returned
 * variables, every git command uses it as the remote.
 */
export async function createLocalRemote(
  root: string,
  env: Environment,
  folder: string,
): Promise<Environment> {
  const git = openGit(root, env);
  const remote = await findRemote(git);
  if (remote === undefined) return env;
  await borrowObjects(git, remote, folder);
  const redirected = redirect(env, await listAddresses(git, remote), folder);
  await requireRedirected(openGit(root, redirected), remote, folder);
  return redirected;
}

async function borrowObjects(git: Git, remote: string, folder: string): Promise<void> {
  const common = resolve(git.folder, await git.run(['rev-parse', '--git-common-dir']));
  const format = await git.run(['rev-parse', '--show-object-format']);
  // No template: hooks that a person wants in every new repository must not run here.
  await git.run(['init', '-q', '--bare', '--template=', `--object-format=${format}`, folder]);
  mkdirSync(join(folder, 'objects/info'), { recursive: true });
  writeFileSync(join(folder, 'objects/info/alternates'), `${join(common, 'objects')}\n`);
  const shallow = join(common, 'shallow');
  if (existsSync(shallow)) writeFileSync(join(folder, 'shallow'), readFileSync(shallow));
  const prefix = `refs/remotes/${remote}/`;
  const refs = await git.run(['for-each-ref', '--format=%(objectname) %(refname)', prefix]);
  const updates = refs
    .split('\n')
    .map((line) => line.split(' '))
    .filter(([, name]) => name !== undefined && name !== `${prefix}HEAD`)
    .map(([hash, name = '']) => `create refs/heads/${name.slice(prefix.length)} ${hash}\n`);
  // Named explicitly, because git can be configured to refuse bare repositories that it discovers.
  const bare = (args: string[], input = '') => git.run(['--git-dir', folder, ...args], { input });
  await bare(['update-ref', '--stdin'], updates.join(''));
  const known = await git.attempt(['symbolic-ref', '-q', `${prefix}HEAD`]);
  const head = known.code === 0 ? known.stdout.trim().slice(prefix.length) : undefined;
  if (head) await bare(['symbolic-ref', 'HEAD', `refs/heads/${head}`]);
}

async function listAddresses(git: Git, remote: string): Promise<string[]> {
  const keys = ['url', 'pushurl'].map((key) => `remote.${remote}.${key}`);
  const found = await Promise.all(keys.map((key) => git.attempt(['config', '--get-all', key])));
  return found.flatMap(({ stdout }) => stdout.split('\n').filter(Boolean));
}

/**
 * Redirects each address to the stand-in. git applies the longest matching rule, and a rule for the
 * whole address is the longest.
 */
function redirect(env: Environment, addresses: readonly string[], folder: string): Environment {
  const rules = [
    ...[...new Set(addresses)].flatMap((address) => [
      [`url.${folder}.insteadOf`, address] as const,
      [`url.${folder}.pushInsteadOf`, address] as const,
    ]),
    // The user may forbid the file protocol, but the stand-in is a folder.
    ['protocol.file.allow', 'always'],
    // A push of submodules would go to their own remotes, which are real.
    ['push.recurseSubmodules', 'no'],
  ] as const;
  return {
    ...withSettings(env, rules),
    GIT_LFS_SKIP_PUSH: '1',
    ...(env.GIT_ALLOW_PROTOCOL ? { GIT_ALLOW_PROTOCOL: `${env.GIT_ALLOW_PROTOCOL}:file` } : {}),
  };
}

/** Checks the redirection before anything is pushed: a rule of the user could lead somewhere else. */
async function requireRedirected(git: Git, remote: string, folder: string): Promise<void> {
  const asked = await Promise.all([
    git.run(['remote', 'get-url', '--all', remote]),
    git.run(['remote', 'get-url', '--all', '--push', remote]),
  ]);
  const elsewhere = asked
    .flatMap((text) => text.split('\n'))
    .filter((address) => address !== folder);
  if (elsewhere.length === 0) return;
  throw new SagaError(
    'git-failed',
    `A rehearsal would use the remote ${elsewhere[0]}, because a rule in your git configuration redirects there.`,
    "Find the rule: git config --show-origin --get-regexp '^url\\.'",
  );
}
