import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import { parseJournal } from '@saga-ai/types/plan/journal';
import { findUntold } from '@saga-ai/types/plan/worker-notes';
import type { SessionRecord } from '@saga-ai/types/run/session-record';
import { isInFlight } from '@saga-ai/types/screens/in-flight';
import type { StoryView } from '@saga-ai/types/screens/overview';
import {
  formatStoryBranch,
  parseAnySession,
  parseEpicBranch,
  parseStoryBranch,
} from '@saga-ai/types/words/names';
import { loadRefs, type Refs } from '../git/branches.ts';
import { type Git, listWorktrees, openGit, type WorktreeEntry } from '../git/git.ts';
import { openPlainGit } from '../git/plain-git.ts';
import { listUncommitted } from '../git/uncommitted.ts';
import { openKnownBases } from '../overview/facts/base-branches.ts';
import { loadOverview } from '../overview/overview.ts';
import { listArchived } from '../plan/archived.ts';
import { loadConfigOrDefaults } from '../plan/config.ts';
import { loadStory } from '../plan/stories.ts';
import { listForeignLocks, listStaleLocks } from '../processes/lock.ts';
import type { Environment } from '../processes/run.ts';
import { listOrphans } from '../processes/run-mark.ts';
import { displayPath } from '../project/display-path.ts';
import { readCheckout } from '../project/git-files.ts';
import {
  buildRehearsalPaths,
  mainStoryFolder,
  type Paths,
  parseItemLock,
  type StoryWorktree,
} from '../project/paths.ts';
import { toReal } from '../project/resolve-real.ts';
import { listStoryWorktrees } from '../project/story-worktrees.ts';
import { loadSessionRecords, stateOfSession } from '../records/session-records.ts';
import { listTmuxSessions } from '../sessions/tmux.ts';
import { findUnfinishedRun } from '../worker/settle/unfinished-run.ts';
import { type CommitCounts, countCommits, type Tips } from './count-commits.ts';
import type { ItemBranches, LockFacts, RecoveryFacts, StoryDetails } from './facts.ts';
import {
  describeSession,
  findDeadTmux,
  findElsewhere,
  findLists,
  findNewest,
  findSchedulers,
} from './find-session-facts.ts';

/**
 * Finds everything that a recovery is planned by: files, git, processes, locks, sessions and native lists.
 * Changes nothing, fetches nothing and asks no model. `clientHome` is the folder of Claude Code.
 */
export async function findRecoveryFacts(
  paths: Paths,
  env: Environment,
  clientHome: string,
): Promise<RecoveryFacts> {
  const git = openGit(paths.root, env);
  const config = loadConfigOrDefaults(paths, { environment: env });
  const [overview, asked, tmuxNames] = await Promise.all([
    loadOverview(paths, env),
    askGit(git),
    listTmuxSessions(paths.root, env, config.session.tmuxServer),
  ]);
  const { refs, entries } = asked;
  const { records } = loadSessionRecords(paths);
  const newest = findNewest(records);
  const wanted = overview.stories.filter(isInFlight);
  const known = {
    ...{ paths, env, newest, worktrees: listStoryWorktrees(paths) },
    counts: countCommits(
      git,
      refs ? findTips(refs, openKnownBases(paths, config, refs), wanted) : [],
    ),
    hasRemote: refs?.remote !== undefined,
  };
  const details = await Promise.all(wanted.map((story) => findDetails(known, story)));
  const locks = listLocks(paths);
  return {
    now: Date.now(),
    ...overview,
    archived: listArchived(paths),
    details: new Map(wanted.map(({ id }, i) => [id, details[i] as StoryDetails])),
    schedulers: findSchedulers(paths, records, newest),
    worktrees: findWorktrees(paths, entries),
    branches: findBranches(refs),
    locks,
    processes: listOrphans(paths.repository).map(({ pid, name, session }) => ({
      ...{ pid, name, session },
      story: parseAnySession(session)?.storyId ?? session,
    })),
    tmux: findDeadTmux(tmuxNames, records),
    elsewhere: findElsewhere(paths, records, locks),
    lists: findLists(clientHome, records),
  };
}

interface Asked {
  refs?: Refs;
  entries: WorktreeEntry[];
}

/** Returns empty lists if git or the repository is missing. */
async function askGit(git: Git): Promise<Asked> {
  try {
    const [refs, entries] = await Promise.all([loadRefs(git), listWorktrees(git)]);
    return { refs, entries };
  } catch {
    // Other checks say that git or the repository is missing.
    return { entries: [] };
  }
}

interface Known {
  paths: Paths;
  env: Environment;
  worktrees: ReadonlyMap<string, StoryWorktree>;
  counts: Promise<ReadonlyMap<string, CommitCounts>>;
  hasRemote: boolean;
  newest: ReadonlyMap<string, SessionRecord>;
}

async function findDetails(known: Known, { id }: StoryView): Promise<StoryDetails> {
  const { paths, newest, counts, hasRemote } = known;
  const record = newest.get(id);
  const worktree = await findWorktree(known, id);
  const { ahead, unpushed } = (await counts).get(id) ?? {};
  return {
    worktree,
    ahead,
    unpushed: unpushed === undefined || !hasRemote ? undefined : unpushed,
    ...readTasks(paths, id),
    session:
      record && record.discardedAt === undefined && stateOfSession(record) !== 'running'
        ? describeSession(paths, record)
        : undefined,
  };
}

function findTips(
  refs: Refs,
  basesOf: ReturnType<typeof openKnownBases>,
  stories: readonly StoryView[],
): Tips[] {
  return stories.flatMap(({ id }) => {
    const branch = formatStoryBranch(id);
    const tip = refs.commits.get(`refs/heads/${branch}`);
    const pushed = refs.commits.get(`refs/remotes/${refs.remote}/${branch}`);
    const bases = basesOf(id);
    if (tip === undefined || bases.length === 0) return [];
    return [{ id, tip, bases, pushed }];
  });
}

async function findWorktree(
  { worktrees, env }: Known,
  id: string,
): Promise<StoryDetails['worktree'] | undefined> {
  const found = worktrees.get(id);
  if (!found?.isOwn) return undefined;
  // An interrupted run may have planted settings that start programs.
  const git = openPlainGit(found.folder, env);
  try {
    const changed = await listUncommitted(git);
    const gitFolder = readCheckout(found.folder)?.gitFolder ?? '';
    const operation = OPERATIONS.find(([file]) => existsSync(join(gitFolder, file)))?.[1];
    return {
      folder: found.folder,
      changed,
      operation,
      hasUnfinishedRun: findUnfinishedRun({ gitFolder }) !== undefined,
    };
  } catch {
    // git cannot read the worktree; a run repairs it or says what is wrong.
    return { folder: found.folder, changed: [], hasUnfinishedRun: false };
  }
}

const OPERATIONS = [
  ['rebase-merge', 'rebase'],
  ['rebase-apply', 'rebase'],
  ['MERGE_HEAD', 'merge'],
  ['CHERRY_PICK_HEAD', 'cherry-pick'],
  ['REVERT_HEAD', 'revert'],
] as const;

/** Returns [] if the story cannot be read. Its problem is reported with the others. */
function readTasks(paths: Paths, id: string): Pick<StoryDetails, 'tasks' | 'hasUntold'> {
  try {
    const { tasks, journal } = loadStory(paths, id);
    const { feedback, answers } = findUntold(parseJournal(journal).entries);
    return { tasks, hasUntold: feedback.length + answers.length > 0 };
  } catch {
    return { tasks: [], hasUntold: false };
  }
}

function findWorktrees(
  paths: Paths,
  entries: readonly WorktreeEntry[],
): RecoveryFacts['worktrees'] {
  const show = (folder: string) => displayPath(paths.root, folder);
  const isPlanned = (story: string) => existsSync(mainStoryFolder(paths, story));
  const there = [...listStoryWorktrees(paths).values()].filter((it) => it.isOwn);
  const known = new Set(there.map(({ folder }) => toReal(folder)));
  const gone = entries.flatMap(({ path, branch, prunable, locked }) => {
    const story = branch === undefined ? undefined : parseStoryBranch(branch);
    const isGone = prunable && locked === undefined && !existsSync(path) && !known.has(path);
    // A project that was moved took its worktrees along; they are found under their new place.
    const isMoved = there.some((it) => it.storyId === story);
    return story === undefined || !isGone || isMoved
      ? []
      : [{ story, folder: path, shown: show(path), isGone: true, isPlanned: isPlanned(story) }];
  });
  const here = there.map(({ storyId, folder }) => ({
    ...{ story: storyId, folder, shown: show(folder), isGone: false },
    isPlanned: isPlanned(storyId),
  }));
  return [...here, ...gone];
}

function findBranches(refs: Refs | undefined): ItemBranches {
  const collect = (prefix: string, parse: (branch: string) => string | undefined) => {
    const names = [...(refs?.commits.keys() ?? [])].filter((ref) => ref.startsWith(prefix));
    return new Set(names.flatMap((ref) => parse(ref.slice(prefix.length)) ?? []));
  };
  const both = (parse: (branch: string) => string | undefined) => ({
    local: collect('refs/heads/', parse),
    remote:
      refs?.remote === undefined
        ? new Set<string>()
        : collect(`refs/remotes/${refs.remote}/`, parse),
  });
  return {
    remote: refs?.remote,
    stories: both(parseStoryBranch),
    epics: both(parseEpicBranch),
  };
}

function listLocks(paths: Paths): LockFacts[] {
  const folders = [paths.locks, buildRehearsalPaths(paths.root).locks];
  return folders.flatMap((folder) => {
    const stale = listStaleLocks(folder).map((it) => ({ ...it, isElsewhere: false }));
    const foreign = listForeignLocks(folder).map((it) => ({ ...it, isElsewhere: true }));
    return [...stale, ...foreign].map(({ path, owner, since, isElsewhere: away }) => {
      const { kind, id: story } = parseItemLock(basename(path)) ?? {};
      return {
        ...{ path, shown: displayPath(paths.root, path), pid: owner.pid, host: owner.host, since },
        isElsewhere: away,
        story: story !== undefined && (kind === 'worker' || kind === 'story') ? story : undefined,
      };
    });
  });
}
