import {
  existsSync,
  lstatSync,
  readFileSync,
  realpathSync,
  renameSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { isInPlanFolded } from '@saga-ai/types/plan/plan-paths';
import type { Emit } from '@saga-ai/types/run/event';
import { SagaError } from '../../errors.ts';
import { type Git, isAncestor, listChanged } from '../../git/git.ts';
import { keepOut } from '../../git/plain-git.ts';
import type { Worktree } from '../../git/worktree.ts';
import { describeFailure } from '../../processes/describe-failure.ts';
import { formatLink, parseLink } from '../../project/git-files.ts';
import { findVanished } from './find-vanished.ts';
import { LeftKeeper } from './keep-left.ts';
import type { UnfinishedRun } from './unfinished-run.ts';

/**
 * Restores a worktree after a run: linked to its repository, on the story's branch with everything the run committed,
 * and with an index that hides no file from git. Commits that do not fit onto the branch are kept first, under a ref of
 * the run.
 */
export async function reclaimWorktree(
  worktree: Worktree,
  git: Git,
  emit: Emit,
  run: Pick<UnfinishedRun, 'runId' | 'commit' | 'left' | 'isEnclosed'>,
): Promise<void> {
  await ensureOwnGit(worktree, git, emit);
  const current = (await git.attempt(['symbolic-ref', '-q', '--short', 'HEAD'])).stdout.trim();
  // A run in the sandbox cannot switch the worktree to another branch, so a person did, and that branch is theirs.
  const isOfPerson = run.isEnclosed === true && current !== '' && current !== worktree.branch;
  await restoreRefs(worktree, git, emit, run, isOfPerson ? worktree.branch : current);
  const keeper = new LeftKeeper(worktree, git, emit, run.runId);
  const head = await git.resolve('HEAD');
  await abandonUnfinished(worktree, git, emit, keeper);
  await returnToBranch(worktree, git, emit, keeper, isOfPerson);
  if (head !== undefined && !isOfPerson) await bringCommits(worktree, git, head, emit, keeper);
  await clearIndexFlags(git, emit);
  const vanished = await findVanished(worktree, git, run.commit);
  if (vanished.commits.length > 0) await keeper.keepCommit('history', run.commit, vanished.files);
}

/** Restores refs that a run must not delete: its branch, and the refs that keep the work of earlier runs. */
async function restoreRefs(
  { branch }: Worktree,
  git: Git,
  emit: Emit,
  { commit, left = [] }: Pick<UnfinishedRun, 'commit' | 'left'>,
  current: string,
): Promise<void> {
  for (const work of left) {
    if ((await git.resolve(work.ref)) !== undefined) continue;
    await git.run(['update-ref', work.ref, work.commit]);
    emit('git:repaired', { file: work.ref });
  }
  const ref = `refs/heads/${branch}`;
  if (current !== branch || (await git.resolve(ref)) !== undefined) return;
  await git.run(['update-ref', ref, commit]);
  emit('git:repaired', { file: ref });
}

/**
 * Restores the worktree's `.git` file. Without it, git would use a checkout around the worktree, such
 * as the main one or one in a person's home folder, and commit the user's files there.
 */
async function ensureOwnGit({ folder, gitFolder }: Worktree, git: Git, emit: Emit): Promise<void> {
  const link = join(folder, '.git');
  if (existsSync(gitFolder) && findGitFolder(link) !== gitFolder) {
    if (lstatSync(link, { throwIfNoEntry: false })) {
      renameSync(link, join(gitFolder, `saga-replaced-${Date.now()}`));
    }
    writeFileSync(link, formatLink(gitFolder));
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
    `Check what is left: git worktree list. Then remove the folder and run the story again.`,
  );
}

function findGitFolder(link: string): string | undefined {
  if (!lstatSync(link, { throwIfNoEntry: false })?.isFile()) return undefined;
  const path = parseLink(readFileSync(link, 'utf8'));
  const folder = path === undefined ? undefined : resolve(dirname(link), path);
  return folder !== undefined && existsSync(folder) ? realpathSync(folder) : undefined;
}

const UNFINISHED = [
  ['rebase-merge', 'rebase'],
  ['rebase-apply/applying', 'am'],
  ['rebase-apply', 'rebase'],
  ['CHERRY_PICK_HEAD', 'cherry-pick'],
  ['REVERT_HEAD', 'revert'],
] as const;

/**
 * Ends an unfinished rebase and the like, during which HEAD is on no branch, after everything in the
 * worktree was kept. A merge is left to the next run.
 */
async function abandonUnfinished(
  { gitFolder }: Worktree,
  git: Git,
  emit: Emit,
  keeper: LeftKeeper,
): Promise<void> {
  for (const [file, verb] of UNFINISHED) {
    if (!existsSync(join(gitFolder, file))) continue;
    // Changes of such files would be hidden from git, and so would not be kept.
    await clearIndexFlags(git, emit);
    await keeper.keepAll(verb);
    const outside = await keepOut(git);
    const aborted = await outside.attempt([verb, '--abort']);
    if (aborted.code !== 0) await outside.attempt([verb, '--quit']);
    emit('git:abandoned', { what: verb });
  }
}

async function returnToBranch(
  { branch }: Worktree,
  git: Git,
  emit: Emit,
  keeper: LeftKeeper,
  isOfPerson: boolean,
): Promise<void> {
  const current = (await git.attempt(['symbolic-ref', '-q', '--short', 'HEAD'])).stdout.trim();
  if (current === branch) return;
  const fields = { found: current || 'a detached HEAD', branch };
  const tip = await git.resolve(`refs/heads/${branch}`);
  if (!isOfPerson && (tip === undefined || (await isAncestor(git, tip, 'HEAD')))) {
    // HEAD contains the whole branch, so the branch moves to it and no file changes.
    await git.run(['checkout', '-q', '-B', branch]);
    emit('branch:returned', fields);
    return;
  }
  const back = await git.attempt(['switch', '-q', branch]);
  if (back.code === 0) {
    emit('branch:returned', fields);
    return;
  }
  await keeper.keepAll('files');
  // Unlike `switch`, this also works in the middle of a merge.
  await git.run(['checkout', '-q', '-f', branch]);
  emit('branch:returned', { ...fields, reason: describeFailure(back) });
}

/** Brings commits onto the story's branch that a run made beside it and that no remote has. */
async function bringCommits(
  { branch, base }: Worktree,
  git: Git,
  head: string,
  emit: Emit,
  keeper: LeftKeeper,
): Promise<void> {
  if (await isAncestor(git, head, 'HEAD')) return;
  const beside = ['--reverse', '--right-only', '--cherry-pick', '--no-merges', `HEAD...${head}`];
  const known = ['--not', base.commit, '--remotes'];
  const commits = (await git.run(['rev-list', ...beside, ...known])).split('\n').filter(Boolean);
  if (commits.length === 0) return;
  const outside = await keepOut(git);
  const picked = await outside.attempt(['cherry-pick', '--allow-empty', ...commits]);
  if (picked.code === 0) {
    emit('branch:brought', { branch, commits: commits.length });
    return;
  }
  await outside.attempt(['cherry-pick', '--abort']);
  await keeper.keepCommit('commits', head, await listChanged(git, 'HEAD', head));
}

/** Clears the index flags (assume-unchanged, skip-worktree) that make git report no change in a file. */
async function clearIndexFlags(git: Git, emit: Emit): Promise<void> {
  let flagged = await findFlagged(git);
  if (
    flagged.some((path) => isInPlanFolded(path) && !isThere(git, path)) &&
    (await isSparse(git))
  ) {
    // A worker never starts without the plan, so the run removed it from the checkout.
    await git.run(['sparse-checkout', 'disable']);
    emit('git:index-flags-cleared', { files: flagged.filter(isInPlanFolded) });
    flagged = await findFlagged(git);
  }
  // A sparse checkout of the user sets the flag too, but then the file is not on disk.
  const files = flagged.filter((path) => isInPlanFolded(path) || isThere(git, path));
  for (let i = 0; i < files.length; i += 200) {
    const some = files.slice(i, i + 200);
    await git.run(['update-index', '--no-assume-unchanged', '--', ...some]);
    await git.run(['update-index', '--no-skip-worktree', '--', ...some]);
  }
  if (files.length > 0) emit('git:index-flags-cleared', { files });
}

async function findFlagged(git: Git): Promise<string[]> {
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
