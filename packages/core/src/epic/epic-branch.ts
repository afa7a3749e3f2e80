import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Epic } from '@saga-ai/types/plan/epic';
import { epicFilePath } from '@saga-ai/types/plan/plan-paths';
import type { Emit } from '@saga-ai/types/run/event';
import { formatEpicBeginning, formatEpicBranch } from '@saga-ai/types/words/names';
import { SagaError } from '../errors.ts';
import { checkJsonText } from '../files/json-file.ts';
import { editJson } from '../files/json-text.ts';
import { moveBranch } from '../git/branches.ts';
import { type Base, fetchBranch } from '../git/find-base.ts';
import { type Git, isAncestor, listWorktrees } from '../git/git.ts';
import { makeLeaseCommit } from '../git/remote/lease-commit.ts';
import { pushBranch, trackPushed } from '../git/remote/push.ts';
import { withRepositoryLock } from '../git/repository-lock.ts';
import { epicFile, type Paths } from '../project/paths.ts';
import { quote } from '../project/quote.ts';
import type { Fence } from '../worker/context.ts';

/** Where an epic's branch starts, and what it is pushed to. */
export interface BranchPlace {
  git: Git;
  paths: Paths;
  /** The commit that a new branch starts from. */
  from: string;
  /** The remote, with the addresses that it had at the start. */
  base: Pick<Base, 'remote' | 'pinned'>;
  emit: Emit;
  /** In a fleet, says whether this machine may still push. */
  fence?: Fence | undefined;
}

const RETRY_MS = [1000, 2000, 5000, 10_000, 20_000, 30_000];

/**
 * Makes sure that the branch of an epic exists, here and on the remote, and returns its newest commit. Takes over
 * commits that somebody pushed to it. If both sides have commits of their own, a person must decide.
 */
export async function ensureEpicBranch(epicId: string, place: BranchPlace): Promise<string> {
  const { git, emit } = place;
  const { remote } = place.base;
  const branch = formatEpicBranch(epicId);
  await requireFree(git, branch);
  const here = await git.resolve(`refs/heads/${branch}`);
  const there = remote === undefined ? undefined : await fetchTip(place, remote, branch);
  if (here === undefined && there === undefined) {
    const commit = await createFirstCommit(epicId, branch, place);
    await moveBranch(git, branch, commit, undefined);
    emit('epic:branch', { branch, commit, isNew: true });
    await pushEpicBranch(epicId, place);
    return commit;
  }
  if (here === there && here !== undefined) return here;
  if (here === undefined || (there !== undefined && (await isAncestor(git, here, there)))) {
    const commit = there ?? '';
    await moveBranch(git, branch, commit, here);
    emit('epic:branch', { branch, commit, isNew: false });
    return commit;
  }
  if (there !== undefined && !(await isAncestor(git, there, here))) {
    throw new SagaError(
      'git-failed',
      `${branch} has commits here that ${remote} lacks, and the other way round.`,
      `Bring them together: git switch ${branch}, git merge ${remote}/${branch}, git push, git switch -. Then run the epic again.`,
    );
  }
  await pushEpicBranch(epicId, place);
  return here;
}

type PushPlace = Pick<BranchPlace, 'git' | 'base' | 'emit' | 'fence'>;

/** Pushes the branch. A remote that cannot be reached, or that refuses, does not stop the work. */
export async function pushEpicBranch(
  epicId: string,
  place: PushPlace,
  tries = 0,
): Promise<boolean> {
  const { git, emit, fence } = place;
  const { remote, pinned } = place.base;
  if (remote === undefined) return true;
  const branch = formatEpicBranch(epicId);
  const ref = `refs/heads/${branch}`;
  const refusal = await fence?.check();
  if (refusal !== undefined) {
    emit('push:failed', { remote, branch, reason: refusal });
    return false;
  }
  const seen = fence && (await git.resolve(`refs/remotes/${remote}/${branch}`));
  // Without a fast-forward git itself refuses.
  const isForward = seen === undefined || (await isAncestor(git, seen, ref));
  const onlyIfAt = fence && isForward ? { commit: seen } : undefined;
  const pushed = await pushBranch(git, { remote, branch, urls: pinned?.pushUrls, onlyIfAt });
  if (pushed.kind !== 'done') {
    // In a fleet no story begins before the branch is on the remote, so the scheduler waits for a remote that is away.
    const wait = fence && pushed.kind === 'away' ? RETRY_MS[tries] : undefined;
    if (wait !== undefined) {
      await sleep(wait);
      return pushEpicBranch(epicId, place, tries + 1);
    }
    emit('push:failed', { remote, branch, reason: pushed.words });
    return false;
  }
  const tip = await git.resolve(ref);
  if (tip !== undefined) await trackPushed(git, { remote, branch }, tip);
  return true;
}

async function fetchTip(
  { git, base: { pinned }, emit }: BranchPlace,
  remote: string,
  branch: string,
): Promise<string | undefined> {
  const fetched = await fetchBranch(git, remote, branch, { emit, pinned });
  return fetched === 'gone' ? undefined : git.resolve(`refs/remotes/${remote}/${branch}`);
}

/**
 * In a fleet, takes over the branch of an epic from the scheduler before: see `claimBranch` of a story. Does
 * nothing if the epic has no branch yet.
 */
export async function claimEpicBranch(epicId: string, place: BranchPlace): Promise<void> {
  const { git, base, fence } = place;
  const branch = formatEpicBranch(epicId);
  const isThere = (await git.resolve(`refs/remotes/${base.remote}/${branch}`)) !== undefined;
  if (!fence || !isThere) return;
  const tip = await ensureEpicBranch(epicId, place);
  if (!(await moveBranch(git, branch, await makeLeaseCommit(git, tip, fence), tip))) return;
  if (await pushEpicBranch(epicId, place)) return;
  throw new SagaError(
    'git-failed',
    `${branch} cannot be pushed, so this machine cannot run the epic.`,
    `Look why: saga logs ${epicId}`,
  );
}

/** A branch that is checked out must not move: the files of that checkout would look changed. */
async function requireFree(git: Git, branch: string): Promise<void> {
  const taken = (await listWorktrees(git)).find((it) => it.branch === branch);
  if (!taken) return;
  throw new SagaError(
    'worktree-taken',
    `${branch} is checked out in ${taken.path}, and merges would move it.`,
    `Switch away there: git -C ${quote(taken.path)} switch -`,
  );
}

/** The branch begins with a commit that names it in the epic's file: GitHub refuses a pull request without one. */
async function createFirstCommit(
  epicId: string,
  branch: string,
  { git, paths, from }: BranchPlace,
): Promise<string> {
  const file = epicFile(paths, epicId);
  const text = editJson(readFileSync(file, 'utf8'), { branch });
  const checked = checkJsonText(file, text, Epic);
  if ('problems' in checked)
    throw new SagaError('invalid-file', checked.problems[0]?.message ?? '', 'Run saga check.');
  return commitFile(git, {
    from,
    path: epicFilePath(epicId),
    text,
    message: formatEpicBeginning(epicId),
  });
}

/** Makes a commit that changes one file. No branch points to it yet, and nothing is checked out. */
export async function commitFile(
  git: Git,
  { from, path, text, message }: { from: string; path: string; text: string; message: string },
): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'saga-index-'));
  const index = join(folder, 'index');
  try {
    await git.run(['read-tree', from], { index });
    const blob = await git.run(['hash-object', '-w', '--no-filters', '--stdin'], { input: text });
    await git.run(['update-index', '--add', '--cacheinfo', `100644,${blob},${path}`], { index });
    const tree = await git.run(['write-tree'], { index });
    const signed = (await git.signing()) === 'works' ? ['-S'] : [];
    return await git.run(['commit-tree', ...signed, '-p', from, '-m', message, tree]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Writes the epic's file on its branch, such as the address of its pull request. */
export async function saveOnBranch(
  epicId: string,
  fields: Record<string, string>,
  place: PushPlace,
): Promise<void> {
  const { git } = place;
  const branch = formatEpicBranch(epicId);
  const path = epicFilePath(epicId);
  await withRepositoryLock(git, async () => {
    const head = await git.resolve(`refs/heads/${branch}`);
    if (head === undefined) return;
    const before = await git.run(['cat-file', 'blob', `${head}:${path}`]);
    const text = `${editJson(before, fields).trimEnd()}\n`;
    if (text === `${before.trimEnd()}\n`) return;
    const message = `saga: pull request of epic ${epicId}`;
    await moveBranch(git, branch, await commitFile(git, { from: head, path, text, message }), head);
  });
  await pushEpicBranch(epicId, place);
}
