import { dirname, join } from 'node:path';
import type { Emit } from '@saga-ai/types/run/event';
import { SagaError } from '../../errors.ts';
import { ensureIgnoredFolder } from '../../files/atomic-write.ts';
import { type Base, fetchBranch, findBase } from '../../git/find-base.ts';
import { freeGitLocks } from '../../git/free-git-locks.ts';
import { type Git, isAncestor, openGit } from '../../git/git.ts';
import { openPlainGit } from '../../git/plain-git.ts';
import { withRepositoryLock } from '../../git/repository-lock.ts';
import type { Worktree } from '../../git/worktree.ts';
import { describeFailure } from '../../processes/describe-failure.ts';
import { quote } from '../../processes/quote.ts';
import type { Environment } from '../../processes/run.ts';
import { endMarked } from '../../processes/stop-program.ts';
import { displayPath } from '../../project/display-path.ts';
import { findGitRoot } from '../../project/find-project.ts';
import { storyBranch } from '../../project/paths.ts';
import { markWorktree } from '../../project/story-worktrees.ts';
import type { Worker } from '../context.ts';
import { reclaimWorktree } from '../settle/reclaim-worktree.ts';
import { findUnfinishedRun } from '../settle/unfinished-run.ts';
import { carryStory } from './carry-story.ts';
import { copyIncludedFiles } from './copy-included-files.ts';
import { ensurePlace } from './find-place.ts';
import { findWorktree } from './find-worktree.ts';
import { describeRefusedBranch, requireRunNames } from './run-names.ts';
import { runSetup } from './run-setup.ts';

/** Files of a large repository take their time, and half of them would be worse than none. */
const CHECKOUT_MS = 20 * 60_000;

/** The story's own checkout on its own branch: found, or made from whatever of it is there. */
export async function ensureWorktree(worker: Worker): Promise<Worktree> {
  const { paths, storyId, config, env, emit, network } = worker;
  const git = openGit(paths.root, env, network);
  const branch = storyBranch(paths, storyId);
  const { folder, reason } = ensurePlace(worker);
  const path = displayPath(paths.root, folder);
  emit('worktree:start', { path, branch });
  if (reason !== undefined) emit('worktree:inside', { path, reason });
  const exists = await findWorktree(git, folder, branch);
  // The stand-in of a rehearsal has what was fetched before, and perhaps less than is here by now.
  const isFetched = exists || paths.isRehearsal;
  const base = await findBase(git, config, isFetched ? undefined : { emit, also: branch });
  if (paths.isRehearsal) await requireRunNames(worker, git, base.commit);
  const origin = exists ? 'branch' : await addWorktree(worker, git, folder, branch, base);
  const worktree = await openWorktree(worker, folder, branch, base);
  const inside = worktree.git;
  markWorktree(worktree.gitFolder, branch, paths.root);
  await freeGitLocks(worktree, emit);
  const cutOff = findUnfinishedRun(worktree);
  if (cutOff) {
    await endMarked(cutOff.runId);
    await reclaimWorktree(worktree, openPlainGit(folder, env), emit);
  } else if (origin === 'branch') {
    // Not before: what a run has left is compared with the branch as it was.
    await catchUp(worktree, emit);
  }
  const ahead = Number(await inside.run(['rev-list', '--count', `${base.commit}..HEAD`]));
  emit(exists ? 'worktree:found' : 'worktree:created', {
    path,
    branch,
    base: base.branch ?? base.commit,
    ahead,
  });
  const isBegun =
    ahead > 0 || origin === 'remote' || (origin === 'branch' && (await hasMoved(inside, branch)));
  await carryStory(worker, worktree, isBegun);
  await copyIncludedFiles(worker, worktree);
  await runSetup(worker, worktree);
  return worktree;
}

async function openWorktree(
  { env, network }: Worker,
  folder: string,
  branch: string,
  base: Base,
): Promise<Worktree> {
  const git = openGit(folder, env, network);
  const [top, gitFolder = ''] = (
    await git.run(['rev-parse', '--show-toplevel', '--absolute-git-dir'])
  ).split('\n');
  if (top === folder) return { folder, branch, base, git, gitFolder };
  // git looks upwards: in a broken worktree it would find, and change, the main checkout.
  throw new SagaError(
    'worktree-taken',
    `${folder} is no worktree any more: git takes it for a part of ${top}.`,
    `Look what is in it, then move it away: mv ${quote(folder)} ${quote(`${folder}.old`)}`,
  );
}

/** What the branch of the new worktree was made from, if it was not there already. */
type Origin = 'branch' | 'remote' | 'base';

async function addWorktree(
  { paths, env }: Worker,
  git: Git,
  folder: string,
  branch: string,
  base: Base,
): Promise<Origin> {
  const [tip] = await Promise.all([
    git.resolve(`refs/heads/${branch}`),
    ensureIgnored(dirname(folder), env),
  ]);
  let origin: Origin = 'branch';
  if (tip === undefined) {
    // Another machine may have begun the story: then its branch is only on the remote.
    const begun = base.remote && (await git.resolve(`refs/remotes/${base.remote}/${branch}`));
    origin = begun ? 'remote' : 'base';
    await createBranch(git, branch, begun || base.commit);
  }
  const added = await withRepositoryLock(git, () =>
    git.attempt(['worktree', 'add', '-q', folder, branch], { timeoutMs: CHECKOUT_MS }),
  );
  // A failing hook of the project is told as a failure although all files are there.
  if (added.code === 0 || (await findWorktree(git, folder, branch))) return origin;
  throw new SagaError(
    'worktree-taken',
    `git cannot make the worktree ${folder}: ${describeFailure(added)}.`,
    `See for yourself: git -C ${quote(paths.root)} worktree add ${quote(folder)} ${branch}`,
  );
}

/** Below a checkout, be it this one's or another's, worktrees must not show as new files. */
async function ensureIgnored(worktrees: string, env: Environment): Promise<void> {
  const checkout = findGitRoot(worktrees);
  if (checkout === undefined) return;
  const around = openGit(checkout, env);
  const { code } = await around.attempt(['check-ignore', '-q', `${join(worktrees, 'x')}/`]);
  if (code !== 0) ensureIgnoredFolder(worktrees);
}

async function createBranch(git: Git, branch: string, start: string): Promise<void> {
  const made = await git.attempt(['branch', '--no-track', branch, start]);
  if (made.code !== 0) throw await describeRefusedBranch(git, branch, start, made);
}

/** Somebody may have pushed to the story's branch since. Only what needs no merge is taken in. */
async function catchUp({ git, branch, base }: Worktree, emit: Emit): Promise<void> {
  const { remote, isUnreachable } = base;
  if (remote === undefined || isUnreachable) return;
  const tracking = `refs/remotes/${remote}/${branch}`;
  if (!(await git.resolve(tracking))) return;
  const fetched = await fetchBranch(git, remote, branch, { emit });
  if (fetched === 'failed') base.isUnreachable = true;
  if (fetched !== 'fetched') return;
  if (await isAncestor(git, tracking, 'HEAD')) return;
  if (!(await isAncestor(git, 'HEAD', tracking))) return;
  const merged = await git.attempt(['merge', '--ff-only', '-q', tracking]);
  const reason = merged.code === 0 ? {} : { reason: describeFailure(merged) };
  emit(merged.code === 0 ? 'branch:updated' : 'branch:not-updated', { branch, remote, ...reason });
}

/** A branch that was merged is not ahead of its base any more, and yet it was worked on. */
async function hasMoved(git: Git, branch: string): Promise<boolean> {
  const moves = await git.attempt(['rev-list', '-g', '--count', `refs/heads/${branch}`]);
  return Number(moves.stdout) > 1;
}
