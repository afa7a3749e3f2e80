import { existsSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { SagaError } from '../../errors.ts';
import { ensureFolder } from '../../files/ensure-folder.ts';
import { removeTree } from '../../files/remove-tree.ts';
import { loadRefs } from '../../git/branches.ts';
import { type Git, gitFailed, openGit } from '../../git/git.ts';
import { openPlainGit } from '../../git/plain-git.ts';
import { withRepositoryLock } from '../../git/repository-lock.ts';
import type { Environment } from '../../processes/run.ts';
import { buildPaths, type Paths } from '../../project/paths.ts';
import type { RepositoryName } from '../engine.ts';

/** A large repository takes long. */
const CLONE_MS = 60 * 60_000;
const FETCH_MS = 10 * 60_000;

export interface Clone {
  paths: Paths;
  git: Git;
  repository: RepositoryName;
}

/** Opens the agent's own clone of a repository, below its data folder; makes it if there is none. */
export async function openClone(
  data: string,
  repository: RepositoryName,
  url: string,
  env: Environment,
): Promise<Clone> {
  const around = join(data, 'fleet', repository.key);
  // The repository gets a folder inside, because worktrees are made beside it.
  const folder = join(around, 'repository');
  ensureFolder(around, 0o700);
  // Several jobs may be the first ones at the same time; they wait for one clone.
  const making = MAKING.get(folder) ?? makeClone(around, folder, repository, url, env);
  MAKING.set(folder, making);
  try {
    await making;
  } finally {
    MAKING.delete(folder);
  }
  return { paths: buildPaths(folder), git: openPlainGit(folder, env), repository };
}

/** Clones that are being made, by their folder. */
const MAKING = new Map<string, Promise<void>>();

async function makeClone(
  around: string,
  folder: string,
  repository: RepositoryName,
  url: string,
  env: Environment,
): Promise<void> {
  if (existsSync(join(folder, '.git'))) return;
  const beside = join(around, `.clone.${process.pid}`);
  removeTree(beside);
  const args = ['clone', '-q', '--no-tags', '--origin', 'origin', url, beside];
  const made = await openGit(around, env).attempt(args, {
    network: 'asking',
    timeoutMs: CLONE_MS,
  });
  if (made.code !== 0) {
    removeTree(beside);
    throw gitFailed(around, ['clone', repository.url], made);
  }
  renameSync(beside, folder);
}

/** Fetches all branches, and brings the clone's main checkout to the newest commit of the default branch. */
export async function refreshClone({ git, repository }: Clone): Promise<void> {
  const ref = '+refs/heads/*:refs/remotes/origin/*';
  const args = ['fetch', '-q', '--prune', '--no-tags', '--no-recurse-submodules', 'origin', ref];
  const fetched = await withRepositoryLock(git, () =>
    git.attempt(args, { network: 'asking', timeoutMs: FETCH_MS }),
  );
  if (fetched.code !== 0) throw gitFailed(git.folder, args, fetched);
  await git.attempt(['remote', 'set-head', 'origin', '-a'], { network: 'asking' });
  const { remoteDefault, commits } = await loadRefs(git);
  const commit = commits.get(`refs/remotes/origin/${remoteDefault}`);
  if (remoteDefault === undefined || commit === undefined) {
    throw new SagaError(
      'git-failed',
      `${repository.url} does not say which branch is its default branch.`,
      'Push a first commit, or set the default branch where the repository is.',
    );
  }
  const here = await git.attempt(['symbolic-ref', '-q', '--short', 'HEAD']);
  const isThere = here.stdout.trim() === remoteDefault && (await git.resolve('HEAD')) === commit;
  if (isThere) return;
  // Nobody edits here, so nothing is lost.
  await withRepositoryLock(git, () =>
    git.run(['checkout', '-q', '-f', '--no-track', '-B', remoteDefault, commit]),
  );
}
