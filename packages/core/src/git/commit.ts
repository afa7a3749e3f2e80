import { isSparse } from '../project/git-files.ts';
import { type Git, gitFailed, listNested, STAY_OUT } from './git.ts';

/**
 * Stages all changes of a checkout, or those below a path, without ignored files. `git add -A` would look for changes
 * inside other repositories of the checkout and run their filters there. Of these repositories only the checked-out
 * commit counts.
 */
export async function addAll(git: Git, { paths = [], index }: Staged = {}): Promise<void> {
  const options = index === undefined ? {} : { index };
  const below = paths.length === 0 ? [':/'] : paths;
  const nested = await listNested(git, below, options);
  // core.safecrlf is off, because it refuses files only for their line ends.
  const add = ['-c', 'core.safecrlf=false', 'add', '-A'];
  // A sparse checkout leaves folders out, but what SAGA or a run wrote there is work too.
  if (isSparse(git.folder) && (await knowsSparse(git))) add.push('--sparse');
  const excluded = nested.map((it) => `:(top,exclude,literal)${it}`);
  const isAll = paths.length === 0 && nested.length === 0;
  await git.run(isAll ? add : [...add, '--', ...below, ...excluded], options);
  if (nested.length === 0) return;
  const input = nested.map((it) => `${it}\0`).join('');
  await git.run(['update-index', '--remove', '-z', '--stdin'], { ...options, input });
}

/** Before version 2.34, git has no such option, and stages these files without it. */
async function knowsSparse(git: Git): Promise<boolean> {
  return (await git.attempt(['add', '-h'])).stdout.includes('--sparse');
}

interface Staged {
  /** The paths to stage. Undefined means all. */
  paths?: readonly string[];
  /** Another index than the worktree's own. */
  index?: string;
}

/** Commits only the changes below a path. Returns whether there were any. */
export async function commitPath(git: Git, path: string, message: string): Promise<boolean> {
  await addAll(git, { paths: [path] });
  const staged = await git.attempt(['diff', '--cached', '--quiet', '--', path]);
  if (staged.code === 0) return false;
  return commit(git, message, [path]);
}

/**
 * Commits the changes of a tracked file that has changes. One git command, because a worker's start
 * waits for it.
 */
export function commitTracked(git: Git, path: string, message: string): Promise<boolean> {
  return commit(git, message, [path]);
}

/** Commits these tracked files, whether they changed or were removed. */
export async function commitPaths(
  git: Git,
  paths: readonly string[],
  message: string,
): Promise<boolean> {
  const literal = paths.map((path) => `:(literal)${path}`);
  if (literal.length === 0) return false;
  if ((await git.attempt(['diff', '--quiet', STAY_OUT, 'HEAD', '--', ...literal])).code === 0)
    return false;
  return commit(git, message, literal);
}

/** Commits all changes, without ignored files. Returns whether there were any. */
export async function commitAll(git: Git, message: string): Promise<boolean> {
  await addAll(git);
  if ((await git.attempt(['diff', '--cached', '--quiet'])).code === 0) return false;
  return commit(git, message, []);
}

/**
 * Commits SAGA's own bookkeeping. Runs no hooks, because a project's hooks are about code. A signing
 * key that does not work must not stop the work.
 */
async function commit(git: Git, message: string, paths: readonly string[]): Promise<boolean> {
  const unsigned = (await git.signing()) === 'fails' ? ['--no-gpg-sign'] : [];
  const lead = ['-c', 'core.hooksPath=/dev/null', '-c', 'core.safecrlf=false'];
  const words = ['commit', '--no-verify', '-q', ...unsigned, '-m', message];
  const args = [...lead, ...words, ...(paths.length > 0 ? ['--', ...paths] : [])];
  const result = await git.attempt(args);
  if (result.code === 0) return true;
  // During a merge, git refuses to commit a part; the merge commit will include these changes.
  if (/partial commit during a (merge|cherry-pick|rebase)/.test(result.stderr)) return false;
  throw gitFailed(git.folder, args, result);
}
