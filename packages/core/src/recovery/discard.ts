import { existsSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { TrashNote } from '@saga-ai/types/run/trash-note';
import { formatEpicBranch } from '@saga-ai/types/words/names';
import { SagaError } from '../errors.ts';
import { removeTree } from '../files/remove-tree.ts';
import { loadRefs, type Refs } from '../git/branches.ts';
import { ASK_TOP, adviseMove, parseTop } from '../git/checkout-top.ts';
import { addAll } from '../git/commit.ts';
import { freeGitLocks } from '../git/free-git-locks.ts';
import { type Git, listNested, listWorktrees, type WorktreeEntry } from '../git/git.ts';
import { openPlainGit } from '../git/plain-git.ts';
import { formatStoryTrash } from '../git/refs/trash-refs.ts';
import { withRepositoryLock } from '../git/repository-lock.ts';
import { findUsableWorktree, type Worktree } from '../git/worktree.ts';
import { openKnownBases } from '../overview/facts/base-branches.ts';
import { loadConfigOrDefaults } from '../plan/config.ts';
import { describeFailure } from '../processes/describe-failure.ts';
import { findLockOwner, withLock } from '../processes/lock.ts';
import type { Environment, ProgramResult } from '../processes/run.ts';
import { readLink } from '../project/git-files.ts';
import { epicLock, type Paths, storyBranch, storyLock } from '../project/paths.ts';
import { quote } from '../project/quote.ts';
import { resolveReal } from '../project/resolve-real.ts';
import { listWorktreePlaces } from '../project/worktrees-folder.ts';
import { markDiscarded } from '../records/session-records.ts';
import { quarantineOf } from '../sandbox/enclosure.ts';
import { takeOver } from '../sandbox/git-quarantine.ts';
import { describeUnkept, findUnkept } from '../trash/inner-repositories.ts';
import { listTrash } from '../trash/list-trash.ts';
import type { RawGit } from '../trash/raw-git.ts';
import { openTrashGit, type SavedWork, saveWork, type Work } from '../trash/save-work.ts';
import { lockWorker } from '../worker/prepare/lock-worker.ts';
import { sweepLitter } from '../worker/prepare/sweep-litter.ts';
import { dropUnfinishedCopy, findUnfinishedRun } from '../worker/settle/unfinished-run.ts';

export interface DiscardOrder {
  paths: Paths;
  /** The id of a story or of an epic. For an epic, only the branch is discarded. */
  id: string;
  isEpic?: boolean;
  env: Environment;
  why: TrashNote['why'];
  plan?: Work['plan'];
}

export interface Discarded {
  /** Where everything is kept; undefined if there was nothing to keep. */
  ref?: string;
  note?: TrashNote;
  /** The worktree that was removed. */
  folder?: string;
  /** The branch that was removed. */
  branch?: string;
  /** The branch on the remote, which stays. */
  remoteBranch?: string;
  /** The number of sessions that were marked as discarded. */
  sessions: number;
}

/**
 * Saves everything of a story that exists in this checkout in the trash, then removes its worktree and its branch.
 * Throws while a worker lives. May be called again after a kill, because it removes only what is saved.
 */
export async function discardWork(order: DiscardOrder): Promise<Discarded> {
  const { paths, id } = order;
  if (order.isEpic) requireNoScheduler(paths, id);
  using _lock = await lockWorker({ paths, storyId: id });
  await sweepLitter(paths, id);
  return withLock(storyLock(paths, id), () => discardLocked(order));
}

/** Throws while a scheduler works on the epic. */
export function requireNoScheduler(paths: Paths, id: string): void {
  const owner = findLockOwner(epicLock(paths, id));
  if (!owner) return;
  throw new SagaError(
    'in-flight',
    `Epic ${id} is being worked on (process ${owner.pid}).`,
    `Stop it first: saga stop ${id}`,
  );
}

async function discardLocked(order: DiscardOrder): Promise<Discarded> {
  const { paths, id, env, isEpic = false } = order;
  const git = openPlainGit(paths.root, env);
  const branch = isEpic ? formatEpicBranch(id) : storyBranch(paths, id);
  const found = isEpic ? undefined : findUsableWorktree(paths, id);
  const entries = await listWorktrees(git);
  const own = found?.isOwn ? resolveReal(found.folder) : undefined;
  requireOurs(order, entries, branch, own);
  await using raw = await openDisposable(paths, git, id);
  await finishAside(order, git, raw.git);
  const worktree = own === undefined ? undefined : await openWorktree(own, branch, env);
  // The refs are read now, because commits of an interrupted run may have moved the branch.
  const refs = await loadRefs(git);
  const tip = refs.commits.get(`refs/heads/${branch}`);
  const gone = entries.find((it) => it.branch === branch && !existsSync(it.path));
  const earlier = worktree || !tip ? undefined : await findSaved(git, id, tip);
  const isAnything = tip !== undefined || worktree !== undefined || order.plan !== undefined;
  const saved: Partial<SetAside> =
    earlier ??
    (isAnything ? await saveAndSetAside(order, { git, branch, refs, worktree }, raw.git) : {});
  const entry = worktree?.folder ?? gone?.path;
  if (entry !== undefined) {
    await withRepositoryLock(git, () =>
      git.attempt(['worktree', 'remove', '--force', '--force', entry]),
    );
  }
  const last = saved.note?.tip ?? tip;
  if (tip !== undefined && last !== undefined) await dropBranch(git, branch, last);
  for (const { ref, commit } of saved.note?.left ?? []) {
    await git.attempt(['update-ref', '-d', ref, commit]);
  }
  dropUnfinishedCopy({ paths, storyId: id });
  const at = saved.note?.at ?? new Date().toISOString();
  const sessions = isEpic ? 0 : markDiscarded(paths, id, at);
  if (saved.aside !== undefined) removeTree(saved.aside);
  const remote = `${refs.remote}/${branch}`;
  return {
    ...(saved.ref !== undefined && saved.note ? { ref: saved.ref, note: saved.note } : {}),
    folder: worktree ? worktree.folder : undefined,
    branch: tip === undefined ? undefined : branch,
    remoteBranch: refs.commits.has(`refs/remotes/${remote}`) ? remote : undefined,
    sessions,
  };
}

async function openDisposable(paths: Paths, git: Git, id: string) {
  const raw = await openTrashGit(paths, git, id);
  return { git: raw, [Symbol.asyncDispose]: async () => raw[Symbol.dispose]() };
}

/** Throws if the branch is checked out in a place that SAGA did not choose, because the work there would be lost. */
function requireOurs(
  { paths, id, env }: DiscardOrder,
  entries: readonly WorktreeEntry[],
  branch: string,
  own: string | undefined,
): void {
  const places = listWorktreePlaces(paths, env).map((it) => join(resolveReal(it), id));
  // In the middle of a rebase the entry names no branch.
  const isTaken = (it: WorktreeEntry) =>
    it.branch === branch || (it.branch === undefined && places.includes(it.path));
  const other = entries.find((it) => isTaken(it) && it.path !== own && existsSync(it.path));
  if (!other) return;
  throw new SagaError(
    'worktree-taken',
    `${branch} is checked out in ${other.path}, which is not the worktree of the story.`,
    `Switch it to another branch: git -C ${quote(other.path)} switch --detach`,
  );
}

type Open = Pick<Worktree, 'folder' | 'branch' | 'gitFolder'>;

/** Opens the worktree, frees it from git's stale locks, and takes over commits of an interrupted run. */
async function openWorktree(folder: string, branch: string, env: Environment): Promise<Open> {
  const git = openPlainGit(folder, env);
  const asked = await git.attempt(ASK_TOP);
  const { top, gitFolder } = parseTop(asked.stdout);
  if (asked.code !== 0 || top !== folder) {
    throw new SagaError(
      'worktree-taken',
      `${folder} is no longer a worktree of this repository, so git cannot save what is in it.`,
      adviseMove(folder),
    );
  }
  const worktree = { folder, branch, gitFolder };
  await freeGitLocks(worktree, () => {});
  const run = findUnfinishedRun(worktree);
  if (run?.isEnclosed) {
    await takeOver(worktree, quarantineOf(worktree, run.runId), run.runId, env);
  }
  return worktree;
}

/**
 * Returns what an earlier discard saved, if that one was killed after it had moved the worktree away. Saving again
 * would make an entry without the files.
 */
async function findSaved(git: Git, id: string, tip: string): Promise<SetAside | undefined> {
  const newest = (await listTrash(git)).find((it) => it.kind === 'story' && it.story === id);
  const note = newest?.note;
  if (!newest || !note || note.tip !== tip || note.head === null) return undefined;
  return { ref: newest.ref, note };
}

interface SetAside extends Pick<SavedWork, 'ref' | 'note'> {
  /** Where the worktree's folder was moved. */
  aside?: string;
}

interface Place {
  git: Git;
  branch: string;
  refs: Refs;
  worktree: Open | undefined;
}

const TRIES = 5;

/**
 * Saves the work, then renames the worktree's folder, so that nobody writes into it any more. Compares again to find
 * what was written in between.
 */
async function saveAndSetAside(
  order: DiscardOrder,
  { git, branch, refs, worktree }: Place,
  raw: RawGit,
): Promise<SetAside> {
  const { paths, id, why, plan, env } = order;
  const config = loadConfigOrDefaults(paths, { environment: env });
  const bases = openKnownBases(paths, config, refs)(id);
  const pushed = refs.commits.get(`refs/remotes/${refs.remote}/${branch}`);
  const known = [...bases, pushed].filter((it) => it !== undefined);
  for (let tries = 1; ; tries++) {
    const timestamp = Date.now();
    const saved = await saveWork(
      {
        ...{ paths, git, id, why, timestamp, branch, known },
        worktree,
        plan,
      },
      raw,
    );
    if (!worktree) return saved;
    const aside = asideOf(worktree.folder, id, timestamp);
    renameSync(worktree.folder, aside);
    if (await saved.isUnchangedIn(aside)) return { ...saved, aside };
    renameSync(aside, worktree.folder);
    if (tries === TRIES) throw beingWritten(worktree.folder);
  }
}

function beingWritten(folder: string): SagaError {
  return new SagaError(
    'in-flight',
    `Something keeps writing into ${folder}, so nothing was removed.`,
    `End the program that does, then repeat the command: fuser -v ${quote(folder)}`,
  );
}

const asideOf = (folder: string, id: string, timestamp: number) =>
  join(dirname(folder), `.${id}.discarded-${timestamp}`);

/**
 * Deletes folders that a discard moved away. A folder goes only if the trash has every file in it as it is;
 * else it stays for a person to look at.
 */
async function finishAside({ paths, id, env }: DiscardOrder, git: Git, raw: RawGit): Promise<void> {
  const pattern = new RegExp(`^\\.${id}\\.discarded-(\\d+)$`);
  for (const place of listWorktreePlaces(paths, env)) {
    for (const name of existsSync(place) ? readdirSync(place) : []) {
      const [, time] = pattern.exec(basename(name)) ?? [];
      if (time === undefined) continue;
      const folder = join(place, name);
      const ref = formatStoryTrash(id, Number(time));
      if (!(await isKept(git, raw, folder, ref))) continue;
      await requireKeptInside({ folder, back: join(place, id), paths }, git, raw);
      removeTree(folder);
    }
  }
}

async function isKept(git: Git, raw: RawGit, folder: string, ref: string): Promise<boolean> {
  const tree = await git.attempt(['rev-parse', '-q', '--verify', `${ref}^{tree}`]);
  const staged = await git.attempt(['rev-parse', '-q', '--verify', `${ref}^2:staged`]);
  if (tree.code !== 0 || staged.code !== 0) return false;
  const own = raw.open(folder);
  const index = raw.index('aside');
  rmSync(index, { force: true });
  await own.run(['read-tree', staged.stdout.trim()], { index });
  await addAll(own, { index });
  const there = await own.run(['write-tree'], { index });
  // An earlier call may have been killed when a part was already deleted.
  const more = ['diff-tree', '-r', '--name-only', '--diff-filter=d', tree.stdout.trim(), there];
  return (await own.run(more)) === '';
}

/** Throws if a folder that was moved away contains a repository whose work would be lost. */
async function requireKeptInside(
  { folder, back, paths }: { folder: string; back: string; paths: Paths },
  git: Git,
  raw: RawGit,
): Promise<void> {
  const nested = await listNested(raw.open(folder), [':/'], { index: raw.index('aside') });
  // git's entry of the worktree, with its submodules, is removed only after they were compared.
  const left = nested.filter((it) => {
    const target = readLink(join(folder, it, '.git'));
    return target === undefined || existsSync(target);
  });
  const gitFolder = readLink(join(folder, '.git')) ?? '';
  const outer = { folder, gitFolder, root: paths.root, env: git.env };
  const unkept = await findUnkept(outer, left);
  if (!unkept) return;
  throw new SagaError(
    'git-failed',
    describeUnkept(folder, unkept).message,
    `Move the worktree back, then repeat the command: mv ${quote(folder)} ${quote(back)}`,
  );
}

function hasMoved(branch: string, failed: ProgramResult): SagaError {
  return new SagaError(
    'git-failed',
    `${branch} was moved after it had been saved, so it stays: ${describeFailure(failed)}.`,
    'Look at its new commits, then repeat the command.',
  );
}

/** Deletes the branch, unless somebody moved it since it was saved. */
async function dropBranch(git: Git, branch: string, tip: string): Promise<void> {
  await withRepositoryLock(git, async () => {
    const ref = `refs/heads/${branch}`;
    const dropped = await git.attempt(['update-ref', '-d', ref, tip]);
    if (dropped.code !== 0 && (await git.resolve(ref)) !== undefined)
      throw hasMoved(branch, dropped);
    await git.attempt(['config', '--remove-section', `branch.${branch}`]);
  });
}
