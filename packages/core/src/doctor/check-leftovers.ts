import { existsSync, realpathSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { isId } from '@saga-ai/types/plan/ids';
import { type Finding, ok, warning } from '@saga-ai/types/screens/finding';
import { count, formatDuration } from '@saga-ai/types/words/amounts';
import {
  formatRehearsalBranch,
  parseRehearsalBranch,
  parseSession,
} from '@saga-ai/types/words/names';
import { SagaError } from '../errors.ts';
import { listFolder } from '../files/list-folder.ts';
import { findBase } from '../git/find-base.ts';
import { type Git, isAncestor, listWorktrees, openGit, type WorktreeEntry } from '../git/git.ts';
import { loadConfigOrDefaults } from '../plan/config.ts';
import { findOnPath } from '../processes/find-program.ts';
import { isElsewhere } from '../processes/identity.ts';
import { findLockOwner, listForeignLocks, listStaleLocks } from '../processes/lock.ts';
import { quote } from '../processes/quote.ts';
import type { Environment } from '../processes/run.ts';
import { listOrphans } from '../processes/run-mark.ts';
import { displayPath } from '../project/display-path.ts';
import {
  buildRehearsalPaths,
  mainStoryFolder,
  type Paths,
  rehearsalLock,
  rehearsalTemps,
  workerLock,
} from '../project/paths.ts';
import { listStoryWorktrees } from '../project/story-worktrees.ts';
import { listWorktreePlaces } from '../project/worktrees-folder.ts';
import { loadSessionRecords } from '../records/session-records.ts';
import { isRehearsal } from '../rehearsal/discard-rehearsal.ts';

/** Finds what dead processes and finished stories left behind. */
export async function checkLeftovers(paths: Paths, env: Environment): Promise<Finding[]> {
  const git = await openRepository(paths, env);
  return [
    checkLocks(paths),
    ...checkOtherMachines(paths),
    ...checkOrphans(paths),
    ...(git ? await checkWorktrees(paths, git, env) : []),
  ];
}

/**
 * Opens git in the project. Returns undefined if git is missing or this is not a repository; other
 * checks report that.
 */
export async function openRepository(paths: Paths, env: Environment): Promise<Git | undefined> {
  if (findOnPath('git', env) === undefined) return undefined;
  const git = openGit(paths.root, env);
  const { code } = await git.attempt(['rev-parse', '--git-dir']);
  return code === 0 ? git : undefined;
}

/** Lists stale locks, including those of rehearsals. */
export function listLocks(paths: Paths) {
  return [paths.locks, buildRehearsalPaths(paths.root).locks].flatMap(listStaleLocks);
}

function checkLocks(paths: Paths): Finding {
  const stale = listLocks(paths);
  if (stale.length === 0) return ok('locks', 'no stale locks');
  const pids = [...new Set(stale.map(({ owner }) => owner.pid))];
  const whose = `process${pids.length === 1 ? '' : 'es'} ${pids.join(', ')}`;
  const gone = `${whose} ${pids.length === 1 ? 'is' : 'are'} gone`;
  return warning('locks', `${count(stale.length, 'stale lock')}: ${gone}`, FIX);
}

/** Reports locks and sessions of other machines: whether their owners live cannot be known here. */
function checkOtherMachines(paths: Paths, now = Date.now()): Finding[] {
  const locks = listForeignLocks(paths.locks);
  const held = locks.map(({ path, owner, since }) => {
    const [, story] = /^(?:worker|story)-(.+)$/.exec(basename(path)) ?? [];
    return warning(
      'locks',
      `${displayPath(paths.root, path)} is held by process ${owner.pid} on ${owner.host} for ${formatDuration(now - since)}`,
      `If that machine is gone: ${story === undefined ? `rm -r ${quote(path)}` : `saga stop --forget ${story}`}`,
    );
  });
  const isHeld = (story: string) => locks.some(({ path }) => path === workerLock(paths, story));
  const left = loadSessionRecords(paths).records.filter(
    (it) => it.endedAt === undefined && isElsewhere(it) && !isHeld(it.story),
  );
  const running = left.map(({ session, story, host, startedAt }) =>
    warning(
      'sessions',
      `${session} was started on ${host} ${formatDuration(now - Date.parse(startedAt))} ago and never ended`,
      `If that machine is gone: saga stop --forget ${story}`,
    ),
  );
  return [...held, ...running];
}

/** Reports processes that outlived their worker. */
function checkOrphans(paths: Paths): Finding[] {
  const bySession = Map.groupBy(listOrphans(paths.root), ({ session }) => session);
  return [...bySession].map(([session, orphans]) => {
    const story = parseSession(session)?.storyId ?? session;
    const names = [...new Set(orphans.map(({ name, pid }) => `${name} (${pid})`))].join(', ');
    const what = count(orphans.length, 'process', 'processes');
    return warning('processes', `${what} outlived the worker of ${story}: ${names}`, FIX);
  });
}

async function checkWorktrees(paths: Paths, git: Git, env: Environment): Promise<Finding[]> {
  const all = await listWorktrees(git);
  const ours = listOwn(paths, all);
  const [rehearsals, merged] = await Promise.all([
    listRehearsals(paths, git),
    findMerged(paths, ours, env),
  ]);
  const gone = listGone(paths, all);
  const orphans = ours.filter(
    (it) => !existsSync(mainStoryFolder(paths, it.storyId)) && !merged.includes(it),
  );
  const warn = (what: string, fix: string) => warning('worktrees', what, fix);
  return [
    ok('worktrees', count(ours.length, 'story worktree')),
    ...(gone.length === 0
      ? []
      : [warn(`git knows ${count(gone.length, 'worktree')} whose folder is gone`, FIX)]),
    ...(rehearsals.length === 0
      ? []
      : [warn(`kept or left by a rehearsal: ${rehearsals.join(', ')}`, FIX)]),
    ...orphans.map(({ path }) =>
      warn(
        `${displayPath(paths.root, path)} has no story in this checkout`,
        `Check what it contains, then: git worktree remove ${quote(path)}`,
      ),
    ),
    ...(merged.length === 0
      ? []
      : [
          warn(
            `merged, and can be removed: ${merged.map(({ storyId }) => storyId).join(', ')}`,
            `git worktree remove ${quote(displayPath(paths.root, merged[0]?.path ?? ''))}${merged.length > 1 ? ', and so on' : ''}`,
          ),
        ]),
  ];
}

const FIX = 'saga doctor --fix';

interface OwnWorktree extends WorktreeEntry {
  storyId: string;
}

/** Lists the worktrees that SAGA made for a story and that git can use. */
function listOwn(paths: Paths, all: readonly WorktreeEntry[]): OwnWorktree[] {
  const own = [...listStoryWorktrees(paths).values()].filter((it) => it.isOwn);
  const idOf = new Map(own.map((it) => [toReal(it.folder), it.storyId]));
  return all.flatMap((it) => {
    const storyId = idOf.get(it.path);
    return storyId === undefined || it.prunable ? [] : [{ ...it, storyId }];
  });
}

/**
 * Lists git's entries for story worktrees whose folder is gone. Entries elsewhere are left alone,
 * because their disk may only be missing now; and if the whole project was moved, a worker repairs the
 * entry.
 */
export function listGone(paths: Paths, all: readonly WorktreeEntry[]): WorktreeEntry[] {
  const older = join(buildRehearsalPaths(paths.root).runs, 'worktrees');
  const folders = [...listWorktreePlaces(paths), older];
  return all.filter(
    ({ path, prunable, locked }) =>
      prunable &&
      locked === undefined &&
      folders.some((folder) => isIn(folder, path) && isHere(paths, folder)) &&
      !existsSync(path),
  );
}

/** Whether the folder would be on the project's own disk, so that its absence means that it was deleted. */
const isHere = ({ root }: Paths, folder: string) =>
  existsSync(folder) || folder.startsWith(`${root}/`) || dirname(folder) === dirname(root);

/** Lists the stories of which a rehearsal left something. A rehearsal that is running is left out. */
export async function listRehearsals(paths: Paths, git: Git): Promise<string[]> {
  const rehearsal = buildRehearsalPaths(paths.root);
  const branches = await git.paths(['for-each-ref', '--format=%(refname:short)%00', BRANCHES]);
  const marked: string[] = [];
  for (const branch of branches.map((it) => it.trim())) {
    const id = parseRehearsalBranch(branch);
    if (id !== undefined && (await isRehearsal(git, branch))) marked.push(id);
  }
  const left = [join(rehearsal.runs, 'worktrees'), rehearsalTemps(rehearsal)].flatMap((folder) =>
    listFolder(paths.root, folder).filter(isId),
  );
  const ids = new Set([...marked, ...left, ...listStoryWorktrees(rehearsal).keys()]);
  return [...ids]
    .filter((id) => findLockOwner(rehearsalLock(rehearsal, id)) === undefined)
    .toSorted();
}

const BRANCHES = `refs/heads/${formatRehearsalBranch('')}`;

/** Finds worktrees without a worker whose story is already merged into the base branch. */
async function findMerged(
  paths: Paths,
  worktrees: readonly OwnWorktree[],
  env: Environment,
): Promise<OwnWorktree[]> {
  if (worktrees.length === 0) return [];
  // Use the last fetched state: doctor must not wait for a remote.
  const git = openGit(paths.root, { ...env, GIT_ALLOW_PROTOCOL: 'none' });
  const base = await findBaseHere(paths, git, env);
  const merged: OwnWorktree[] = [];
  for (const it of worktrees) {
    const { branch, storyId } = it;
    const isBusy = findLockOwner(workerLock(paths, storyId)) !== undefined;
    if (base === undefined || branch === undefined || isBusy) continue;
    const tip = await git.resolve(`refs/heads/${branch}`);
    const isUntouched = tip === base;
    if (tip && !isUntouched && (await isAncestor(git, tip, base))) merged.push(it);
  }
  return merged;
}

async function findBaseHere(
  paths: Paths,
  git: Git,
  environment: Environment,
): Promise<string | undefined> {
  try {
    return (await findBase(git, loadConfigOrDefaults(paths, { environment }))).commit;
  } catch (error) {
    // The branch does not exist, so nothing is merged into it.
    if (error instanceof SagaError) return undefined;
    throw error;
  }
}

function isIn(folder: string, path: string): boolean {
  return dirname(path) === toReal(folder) || dirname(path) === join(folder);
}

const toReal = (path: string) => (existsSync(path) ? realpathSync(path) : path);
