import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isId } from '@saga-ai/types/plan/ids';
import { type Finding, ok, warning } from '@saga-ai/types/screens/finding';
import type { Orphan } from '@saga-ai/types/screens/json/recovery';
import { count } from '@saga-ai/types/words/amounts';
import { formatRehearsalBranch, parseRehearsalBranch } from '@saga-ai/types/words/names';
import { SagaError } from '../errors.ts';
import { listFolder } from '../files/list-folder.ts';
import { findBase } from '../git/find-base.ts';
import { type Git, isAncestor, listWorktrees, openGit, type WorktreeEntry } from '../git/git.ts';
import { loadConfigOrDefaults } from '../plan/config.ts';
import { findOnPath } from '../processes/find-program.ts';
import { findLockOwner, listStaleLocks } from '../processes/lock.ts';
import type { Environment } from '../processes/run.ts';
import { findMainPlace } from '../project/git-files.ts';
import {
  buildRehearsalPaths,
  type Paths,
  rehearsalLock,
  rehearsalTemps,
  workerLock,
} from '../project/paths.ts';
import { toReal } from '../project/resolve-real.ts';
import { listStoryWorktrees } from '../project/story-worktrees.ts';
import { listWorktreePlaces } from '../project/worktrees-folder.ts';
import { findRecoveryFacts } from '../recovery/find-recovery-facts.ts';
import { planRecovery } from '../recovery/plan.ts';
import { isRehearsal } from '../rehearsal/discard-rehearsal.ts';

/** Finds what dead processes and finished stories left behind. `clientHome` is the folder of Claude Code. */
export async function checkLeftovers(
  paths: Paths,
  env: Environment,
  clientHome: string,
): Promise<Finding[]> {
  const git = await openRepository(paths, env);
  const { orphans } = planRecovery(await findRecoveryFacts(paths, env, clientHome));
  return [
    checkLocks(paths),
    ...(git ? await checkWorktrees(paths, git, env) : []),
    ...orphans.filter(({ kind }) => kind !== 'lock-of-the-dead').map(describeOrphan),
  ];
}

/** The part of the project that an orphan is about. */
const PARTS: Readonly<Record<Orphan['kind'], string>> = {
  'worktree-without-story': 'worktrees',
  'worktree-gone': 'worktrees',
  'branch-without-story': 'branches',
  'branch-only-on-remote': 'branches',
  'lock-of-the-dead': 'locks',
  'lock-of-another-machine': 'locks',
  'session-of-another-machine': 'sessions',
  'session-without-worker': 'sessions',
  'list-without-story': 'task lists',
  'process-without-worker': 'processes',
};

const describeOrphan = ({ kind, name, explanation, remedy }: Orphan): Finding =>
  warning(PARTS[kind], `${name}: ${explanation}`, remedy);

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

async function checkWorktrees(paths: Paths, git: Git, env: Environment): Promise<Finding[]> {
  const all = await listWorktrees(git);
  const ours = listOwn(paths, all);
  const [rehearsals, merged] = await Promise.all([
    listRehearsals(paths, git),
    findMerged(paths, ours, env),
  ]);
  const warn = (what: string, fix: string) => warning('worktrees', what, fix);
  return [
    ok('worktrees', count(ours.length, 'story worktree')),
    ...(rehearsals.length === 0
      ? []
      : [warn(`kept or left by a rehearsal: ${rehearsals.join(', ')}`, FIX)]),
    ...(merged.length === 0
      ? []
      : [
          warn(
            `merged, and can be removed: ${merged.map(({ storyId }) => storyId).join(', ')}`,
            'saga clean',
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
export function listGone(
  paths: Paths,
  all: readonly WorktreeEntry[],
  env: Environment,
): WorktreeEntry[] {
  const folders = listWorktreePlaces(paths, env);
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
  existsSync(folder) ||
  folder.startsWith(`${root}/`) ||
  dirname(folder) === dirname(findMainPlace(root));

/** Lists the stories of which a rehearsal left something. A rehearsal that is running is left out. */
export async function listRehearsals(paths: Paths, git: Git): Promise<string[]> {
  const rehearsal = buildRehearsalPaths(paths.root);
  const branches = await git.paths(['for-each-ref', '--format=%(refname:short)%00', BRANCHES]);
  const marked: string[] = [];
  for (const branch of branches.map((it) => it.trim())) {
    const id = parseRehearsalBranch(branch);
    if (id !== undefined && (await isRehearsal(git, branch))) marked.push(id);
  }
  const left = listFolder(paths.root, rehearsalTemps(rehearsal)).filter(isId);
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
    const { baseBranch } = loadConfigOrDefaults(paths, { environment }).worktree;
    return (await findBase(git, baseBranch ?? undefined)).commit;
  } catch (error) {
    // The branch does not exist, so nothing is merged into it.
    if (error instanceof SagaError) return undefined;
    throw error;
  }
}

function isIn(folder: string, path: string): boolean {
  return dirname(path) === toReal(folder) || dirname(path) === join(folder);
}
