import { type Git, isAncestor } from '../../git/git.ts';
import { isSameHook, type PinnedHook } from '../../git/pins.ts';
import { type Push, pushBranch, trackPushed } from '../../git/remote/push.ts';
import type { PushOutcome } from '../../git/remote/push-outcome.ts';
import { withRepositoryLock } from '../../git/repository-lock.ts';
import { findUnpushedWip } from '../../git/wip.ts';
import type { Worktree } from '../../git/worktree.ts';
import { quote } from '../../project/quote.ts';
import type { Worker } from '../context.ts';
import { describeProtectedChange, findProtectedChanges } from './protected-changes.ts';

/** `isNew` is true if the branch did not exist on the remote before. */
export type Published =
  | { pushed: true; isNew: boolean }
  /** `refused` names the protected files that the branch changes. */
  | { pushed: false; reason: string; refused?: readonly string[] };

/**
 * Pushes the story's branch if there is a remote and the branch has new commits. Never replaces
 * commits of the remote, and pushes no protected file that the branch changed. What the remote already has is taken from
 * the local tracking branch; with `isAsked` the remote itself is asked, because the branch may have been
 * deleted there. The push counts only if the remote then shows the branch as it is here.
 */
export async function publish(
  worker: Worker,
  worktree: Worktree,
  { isAsked = false }: { isAsked?: boolean } = {},
): Promise<Published> {
  const { emit } = worker;
  const { git, branch, base } = worktree;
  const { remote } = base;
  if (remote === undefined) return { pushed: false, reason: 'there is no remote' };
  const tracking = `refs/remotes/${remote}/${branch}`;
  const [tip, there] = await Promise.all([
    git.resolve(`refs/heads/${branch}`),
    git.resolve(tracking),
  ]);
  const isNew = tip !== there;
  if (!isNew && !isAsked) return { pushed: true, isNew };
  const fail = (reason: string): Published => {
    emit('push:failed', { remote, branch, reason });
    return { pushed: false, reason };
  };
  if (tip === undefined) return fail(`the branch ${branch} does not exist here`);
  const wip = isNew ? await findUnpushedWip(git, storyOf(branch), tip) : undefined;
  if (wip !== undefined) return fail(describeWip(worktree, remote, wip));
  const files = await findProtectedChanges(worker, worktree, tip);
  if (files.length > 0) {
    const reason = describeProtectedChange(worker, worktree, files);
    emit('push:refused', { remote, branch, files, reason });
    return { pushed: false, reason, refused: files };
  }
  const pushUrls = base.pinned?.pushUrls ?? [remote];
  // In a fleet another machine may have taken over, even between this check and the push.
  const refusal = await worker.fence?.check();
  if (refusal !== undefined) return fail(refusal);
  if (worker.fence && there !== undefined && !(await isAncestor(git, there, tip))) {
    return fail(await explainDiverged(worktree, remote));
  }
  const onlyIfAt = worker.fence && isNew ? { commit: there } : undefined;
  const pushed = await push(worker, worktree, { remote, branch, urls: pushUrls, onlyIfAt });
  if (pushed.kind === 'moved') return fail(await explainDiverged(worktree, remote, pushed.words));
  if (pushed.kind !== 'done') return fail(pushed.words);
  for (const url of pushUrls) {
    const shown = await askTip(git, url, branch);
    if (shown !== tip) return fail(describeMissing(worktree, url, tip, shown));
  }
  await track(worktree, remote, tip, there);
  if (isNew) emit('push:done', { remote, branch, commit: tip });
  return { pushed: true, isNew };
}

async function push(worker: Worker, worktree: Worktree, what: Push): Promise<PushOutcome> {
  const { git, pushHook } = worktree;
  const withHook =
    pushHook !== undefined &&
    mayRun(worker, worktree, pushHook) &&
    (await isSameHook(git, pushHook));
  return pushBranch(git, { ...what, withHook });
}

/**
 * Whether the hook before a push may run. A hook runs outside the sandbox and may call files of the checkout, which a
 * run wrote. Git LFS's own hook calls none, and must run because it uploads files.
 */
function mayRun({ bubblewrap, emit }: Worker, { folder }: Worktree, hook: PinnedHook): boolean {
  if (bubblewrap === undefined) return true;
  if (hook.isLfs && !hook.path.startsWith(`${folder}/`)) return true;
  if (!TOLD.has(hook)) emit('push:hook-skipped', { hook: hook.path });
  TOLD.add(hook);
  return false;
}

/** Hooks that were already reported, because a worker pushes after every run. */
const TOLD = new WeakSet<PinnedHook>();

/** Asks a remote for the commit of a branch. Returns undefined if the remote does not have the branch. */
async function askTip(git: Git, url: string, branch: string): Promise<string | undefined> {
  const ref = `refs/heads/${branch}`;
  const asked = await git.attempt(['ls-remote', url, ref], { network: 'delivering' });
  return /^[0-9a-f]+(?=\t)/m.exec(asked.stdout)?.[0];
}

/** Notes what the remote has now, as git does after a push to a remote by its name. */
async function track(
  { git, branch }: Worktree,
  remote: string,
  tip: string,
  before: string | undefined,
): Promise<void> {
  await trackPushed(git, { remote, branch }, tip);
  const upstream = `branch.${branch}.remote`;
  if (before !== undefined || (await git.attempt(['config', upstream])).code === 0) return;
  await withRepositoryLock(git, async () => {
    await git.attempt(['config', upstream, remote]);
    await git.attempt(['config', `branch.${branch}.merge`, `refs/heads/${branch}`]);
  });
}

function describeMissing(
  { folder, branch }: Worktree,
  url: string,
  tip: string,
  shown: string | undefined,
): string {
  const found = shown === undefined ? 'has no such branch' : `shows ${shown.slice(0, 12)}`;
  const ask = `git -C ${quote(folder)} ls-remote ${quote(url)} refs/heads/${branch}`;
  return `git reports that ${branch} was pushed, but ${url} ${found} instead of ${tip.slice(0, 12)}; ask it: ${ask}`;
}

/** Words why a commit of leftovers is not pushed: nobody has looked at these files, so only a person pushes them. */
function describeWip({ folder, branch }: Worktree, remote: string, wip: string): string {
  const git = `git -C ${quote(folder)}`;
  return `${branch} contains files that no run committed (commit ${wip}), and they are not pushed unasked; look at them: ${git} show ${wip}; to push them: ${git} push ${remote} ${branch}`;
}

const storyOf = (branch: string) => branch.slice(branch.indexOf('/') + 1);

/**
 * Says who moved: if the branch here once was what the remote has, it was rewritten here; otherwise
 * somebody else pushed. If what the remote has fits, the remote was only busy, and git's own words are returned.
 */
async function explainDiverged(
  { git, branch, folder, base }: Worktree,
  remote: string,
  words?: string,
): Promise<string> {
  const ref = `refs/heads/${branch}`;
  const [url = remote] = base.pinned?.pushUrls ?? [];
  const there =
    (await askTip(git, url, branch)) ?? (await git.resolve(`refs/remotes/${remote}/${branch}`));
  const fits = there !== undefined && (await isAncestor(git, there, ref));
  if (fits && words !== undefined) return words;
  const earlier = await git.attempt(['rev-list', '-g', ref]);
  const isOurs = there !== undefined && earlier.stdout.split('\n').includes(there);
  const command = `git -C ${quote(folder)}`;
  if (!isOurs) {
    return `${branch} has new commits on the remote; merge them: ${command} pull --rebase ${remote} ${branch}`;
  }
  return `${branch} was rewritten here (rebased, amended or reset), and ${remote} still has it as it was (${there.slice(0, 12)}); compare: ${command} log ${there.slice(0, 12)}...HEAD; to replace it: ${command} push --force-with-lease ${remote} ${branch}`;
}
