import {
  existsSync,
  lstatSync,
  readFileSync,
  realpathSync,
  renameSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { Emit } from '@saga-ai/types/run/event';
import { SagaError } from '../../errors.ts';
import { type Git, isAncestor } from '../../git/git.ts';
import type { Worktree } from '../../git/worktree.ts';
import { describeFailure } from '../../processes/describe-failure.ts';

/**
 * Makes a worktree what it was before a run: tied to its own place in the repository, on the story's
 * branch with all that was committed in it, and with an index that overlooks no file.
 */
export async function reclaimWorktree(worktree: Worktree, git: Git, emit: Emit): Promise<void> {
  await ensureOwnGit(worktree, git, emit);
  const head = await git.resolve('HEAD');
  await abandonUnfinished(worktree, git, emit);
  await returnToBranch(worktree, git, emit);
  if (head !== undefined) await bringCommits(worktree, git, head, emit);
  await heedEveryFile(git, emit);
}

/**
 * The worktree lies inside the project. Without its `.git` file, git would take the main checkout
 * for it, and commit there what is the user's.
 */
async function ensureOwnGit({ folder, gitFolder }: Worktree, git: Git, emit: Emit): Promise<void> {
  const link = join(folder, '.git');
  if (existsSync(gitFolder) && findGitFolder(link) !== gitFolder) {
    if (lstatSync(link, { throwIfNoEntry: false })) {
      renameSync(link, join(gitFolder, `saga-replaced-${Date.now()}`));
    }
    writeFileSync(link, `gitdir: ${gitFolder}\n`);
    emit('git:repaired', { file: '.git' });
  }
  const place = await git.attempt([
    'rev-parse',
    '--path-format=absolute',
    '--show-toplevel',
    '--git-common-dir',
  ]);
  if (place.stdout === `${folder}\n${dirname(dirname(gitFolder))}\n`) return;
  throw new SagaError(
    'worktree-taken',
    `${folder} is no longer a worktree of this repository: a run changed git's own files.`,
    `See what is left: git worktree list. Then remove the folder, and start again.`,
  );
}

function findGitFolder(link: string): string | undefined {
  if (!lstatSync(link, { throwIfNoEntry: false })?.isFile()) return undefined;
  const [, path] = /^gitdir: (.+)/.exec(readFileSync(link, 'utf8')) ?? [];
  const folder = path === undefined ? undefined : resolve(dirname(link), path);
  return folder !== undefined && existsSync(folder) ? realpathSync(folder) : undefined;
}

const UNFINISHED = [
  ['rebase-merge', 'rebase'],
  ['rebase-apply', 'rebase'],
  ['CHERRY_PICK_HEAD', 'cherry-pick'],
  ['REVERT_HEAD', 'revert'],
] as const;

/** In the middle of these there is no branch to commit on. A merge is left to the next run. */
async function abandonUnfinished({ gitFolder }: Worktree, git: Git, emit: Emit): Promise<void> {
  for (const [file, verb] of UNFINISHED) {
    if (!existsSync(join(gitFolder, file))) continue;
    const aborted = await git.attempt([verb, '--abort']);
    if (aborted.code !== 0) await git.attempt([verb, '--quit']);
    emit('git:abandoned', { what: verb });
  }
}

async function returnToBranch({ branch }: Worktree, git: Git, emit: Emit): Promise<void> {
  const current = (await git.attempt(['symbolic-ref', '-q', '--short', 'HEAD'])).stdout.trim();
  if (current === branch) return;
  const fields = { found: current || 'a detached HEAD', branch };
  const tip = await git.resolve(`refs/heads/${branch}`);
  if (tip === undefined || (await isAncestor(git, tip, 'HEAD'))) {
    // All of the branch is in it: then it is the branch that has to move, and no file does.
    await git.run(['checkout', '-q', '-B', branch]);
    emit('branch:returned', fields);
    return;
  }
  const back = await git.attempt(['switch', '-q', branch]);
  if (back.code === 0) {
    emit('branch:returned', fields);
    return;
  }
  const message = `saga: left on ${fields.found} by a run on ${branch}`;
  await git.run(['stash', 'push', '-q', '--include-untracked', '-m', message]);
  await git.run(['switch', '-q', branch]);
  emit('branch:returned', { ...fields, stashed: message, reason: describeFailure(back) });
}

/** What a run committed beside the branch, and nobody else has, is work on the story all the same. */
async function bringCommits(
  { branch, base }: Worktree,
  git: Git,
  head: string,
  emit: Emit,
): Promise<void> {
  if (await isAncestor(git, head, 'HEAD')) return;
  const beside = ['--reverse', '--right-only', '--cherry-pick', '--no-merges', `HEAD...${head}`];
  const known = ['--not', base.commit, '--remotes'];
  const commits = (await git.run(['rev-list', ...beside, ...known])).split('\n').filter(Boolean);
  if (commits.length === 0) return;
  const picked = await git.attempt(['cherry-pick', '--allow-empty', ...commits]);
  if (picked.code === 0) {
    emit('branch:brought', { branch, commits: commits.length });
    return;
  }
  await git.attempt(['cherry-pick', '--abort']);
  const kept = `${branch}-left-${head.slice(0, 8)}`;
  await git.run(['branch', '-f', kept, head]);
  throw new SagaError(
    'worktree-taken',
    `A run committed beside ${branch}, and that does not fit onto it. It is kept as ${kept}.`,
    `Look at it: git log ${branch}..${kept}. Bring over what is good, then start the story again.`,
  );
}

/** Files can be marked so that git reports no change in them; then nothing it says can be relied on. */
async function heedEveryFile(git: Git, emit: Emit): Promise<void> {
  let overlooked = await findOverlooked(git);
  const isPlan = (path: string) => /^\.saga\//i.test(path);
  if (overlooked.some((path) => isPlan(path) && !isThere(git, path)) && (await isSparse(git))) {
    // No worker starts without the plan, so it is the run that left it out of the checkout.
    await git.run(['sparse-checkout', 'disable']);
    emit('git:heeded', { files: overlooked.filter(isPlan) });
    overlooked = await findOverlooked(git);
  }
  // Left out by a sparse checkout of the user, a file is marked too; but then it is not there.
  const files = overlooked.filter((path) => isPlan(path) || isThere(git, path));
  for (let i = 0; i < files.length; i += 200) {
    const some = files.slice(i, i + 200);
    await git.run(['update-index', '--no-assume-unchanged', '--', ...some]);
    await git.run(['update-index', '--no-skip-worktree', '--', ...some]);
  }
  if (files.length > 0) emit('git:heeded', { files });
}

async function findOverlooked(git: Git): Promise<string[]> {
  const all = await git.paths(['ls-files', '-v', '-z']);
  return all.filter((it) => /^[a-zS]/.test(it)).map((it) => it.slice(2));
}

async function isSparse(git: Git): Promise<boolean> {
  const found = await git.attempt(['config', '--type=bool', 'core.sparseCheckout']);
  return found.stdout.trim() === 'true';
}

function isThere(git: Git, path: string): boolean {
  return lstatSync(join(git.folder, path), { throwIfNoEntry: false }) !== undefined;
}
