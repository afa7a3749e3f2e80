import { join } from 'node:path';
import { JOURNAL_FILE } from '@saga-ai/types/plan/journal';
import { EVIDENCE_FILE, PLAN_FOLDER, STORY_FILE, storyPath } from '@saga-ai/types/plan/plan-paths';
import { formatRehearsalBranch, formatStoryBranch } from '@saga-ai/types/words/names';
import { findMainCheckout, readCheckout } from './git-files.ts';
import { findRuns, runsOfCheckout } from './machine-state.ts';

/** The worktree of a story and its folder. */
export interface StoryWorktree {
  storyId: string;
  folder: string;
  /**
   * True if SAGA made the worktree for the story; false if a person only has the story's branch
   * checked out there.
   */
  isOwn: boolean;
}

/** Every path of SAGA's own is built here. */
export interface Paths {
  readonly root: string;
  readonly saga: string;
  readonly stories: string;
  readonly epics: string;
  readonly archive: string;
  readonly archivedStories: string;
  readonly archivedEpics: string;
  /** Where older versions made worktrees. Still used if no worktree can be made elsewhere. */
  readonly innerWorktrees: string;
  /** git's folder, which all checkouts of the repository share; without git the project's own folder. */
  readonly repository: string;
  /** State of this machine, such as locks and records. It belongs to the repository, and git does not see it. */
  readonly runs: string;
  readonly locks: string;
  /**
   * Where files of the plan are for a moment, so that they appear or disappear in one step: beside the plan, because a
   * rename does not lead to another disk. Git-ignored.
   */
  readonly passing: string;
  readonly staging: string;
  /** The records of all sessions, running or ended. */
  readonly sessions: string;
  /** Files that can be deleted at any time. Git-ignored. */
  readonly cache: string;
  readonly config: string;
  /** True for the paths of a rehearsal. */
  readonly isRehearsal: boolean;
  /** Worktrees that are already known and not searched for. */
  readonly pinned: readonly StoryWorktree[];
}

/** Folders of `.saga` that hold the state of one machine. git ignores them. */
export const MACHINE_FOLDERS = ['worktrees', 'runs', 'cache'] as const;

export function buildPaths(root: string): Paths {
  const saga = join(root, PLAN_FOLDER);
  const archive = join(saga, 'archive');
  const runs = findRuns(root);
  const passing = runsOfCheckout(root);
  return {
    root,
    saga,
    stories: join(saga, 'stories'),
    epics: join(saga, 'epics'),
    archive,
    archivedStories: join(archive, 'stories'),
    archivedEpics: join(archive, 'epics'),
    innerWorktrees: join(findMainCheckout(root), PLAN_FOLDER, 'worktrees'),
    repository: readCheckout(root)?.common ?? root,
    runs,
    locks: join(runs, 'locks'),
    passing,
    staging: join(passing, 'staging'),
    sessions: join(runs, 'sessions'),
    cache: join(saga, 'cache'),
    config: join(saga, 'config.json'),
    isRehearsal: false,
    pinned: [],
  };
}

/**
 * The paths of a rehearsal: the same project, but everything that a worker creates goes to another
 * place, so that readers of the project do not see it. The plan may come from another checkout.
 */
export function buildRehearsalPaths(root: string, stories?: string): Paths {
  const paths = buildPaths(root);
  const runs = join(paths.runs, REHEARSALS);
  return {
    ...paths,
    stories: stories ?? paths.stories,
    runs,
    locks: join(runs, 'locks'),
    // A rehearsal puts nothing into the plan.
    passing: runs,
    staging: join(runs, 'staging'),
    sessions: join(runs, 'sessions'),
    isRehearsal: true,
  };
}

/** The folders in which SAGA keeps records, messages and locks of all stories. No run in a sandbox sees them. */
export const listOwnFolders = ({ root }: Paths): string[] => [
  ...new Set([findRuns(root), runsOfCheckout(root)]),
];

/** The folders of locks in a folder of records: those of workers and others, and those of rehearsals. */
export const listLockFolders = (runs: string) => [
  join(runs, 'locks'),
  join(runs, REHEARSALS, 'locks'),
];

const REHEARSALS = 'rehearsals';

export const storyFile = (home: string) => join(home, STORY_FILE);
export const taskFile = (home: string, taskId: string) => join(home, `${taskId}.json`);
export const evidenceFile = (home: string) => join(home, EVIDENCE_FILE);
export const journalFile = (home: string) => join(home, JOURNAL_FILE);
export const epicFile = (paths: Paths, epicId: string) => join(paths.epics, `${epicId}.json`);
export const mainStoryFolder = (paths: Paths, storyId: string) => join(paths.stories, storyId);
export const archivedStoryFolder = (paths: Paths, storyId: string) =>
  join(paths.archivedStories, storyId);
export const archivedEpicFile = (paths: Paths, epicId: string) =>
  join(paths.archivedEpics, `${epicId}.json`);
/** The name of a worktree's folder. An id contains no dot, so a rehearsal never clashes with a story. */
export const worktreeName = ({ isRehearsal }: Paths, storyId: string) =>
  isRehearsal ? `${storyId}.rehearsal` : storyId;
/** The story's folder inside a checkout. */
export const storyFolderIn = (checkout: string, storyId: string) =>
  join(checkout, storyPath(storyId));

/** Names the files that git ignores and a worktree needs. It stands beside `.saga`, at the top of the repository. */
export const INCLUDE_FILE = '.worktreeinclude';
/** Says which files of `.saga` git ignores. */
export const ignoreFile = (paths: Paths) => join(paths.saga, '.gitignore');
/** The folder with the project's own templates. */
export const templatesFolder = (paths: Paths) => join(paths.saga, 'templates');

export const storyBranch = ({ isRehearsal }: Paths, storyId: string) =>
  isRehearsal ? formatRehearsalBranch(storyId) : formatStoryBranch(storyId);

/** A lock that one story or epic has. */
export interface ItemLock {
  kind: 'story' | 'worker' | 'epic' | 'rehearsal';
  id: string;
}
const formatItemLock = ({ kind, id }: ItemLock) => `${kind}-${id}`;
/** Parses the name of a lock. An id contains no dot, and the names of what prepares a lock have one. */
export function parseItemLock(name: string): ItemLock | undefined {
  const [, kind, id] = /^(story|worker|epic|rehearsal)-([^.]+)$/.exec(name) ?? [];
  return id === undefined ? undefined : { kind: kind as ItemLock['kind'], id };
}
const itemLock = (paths: Paths, kind: ItemLock['kind'], id: string) =>
  join(paths.locks, formatItemLock({ kind, id }));
export const storyLock = (paths: Paths, storyId: string) => itemLock(paths, 'story', storyId);
export const workerLock = (paths: Paths, storyId: string) => itemLock(paths, 'worker', storyId);
/** The lock that the scheduler of an epic holds. */
export const epicLock = (paths: Paths, epicId: string) => itemLock(paths, 'epic', epicId);
/** The lock of a rehearsal, held from before it creates anything until everything is removed. */
export const rehearsalLock = (paths: Paths, storyId: string) =>
  itemLock(paths, 'rehearsal', storyId);
/** The lock of one place for a clean checkout. A rehearsal and a worker share it: they must not use the same place. */
export const cleanPlaceLock = ({ root }: Paths, number: number) =>
  join(buildPaths(root).locks, `clean-${number}`);
export const draftsLock = (paths: Paths) => join(paths.locks, 'drafts');
/** The lock that a process holds while it writes down what other machines of the fleet report. */
export const mirrorLock = (paths: Paths) => join(paths.locks, 'mirror');
/** Links to the temporary folders of rehearsals, so that those of a killed rehearsal can be removed. */
export const rehearsalTemps = (paths: Paths) => join(paths.runs, 'temp');
export const rehearsalTempLink = (paths: Paths, storyId: string) =>
  join(rehearsalTemps(paths), storyId);
export const rehearsalOutputFile = (paths: Paths, storyId: string) =>
  join(paths.runs, `${storyId}.jsonl`);
/** Where a story's work is prepared on its way into the trash or out of it. */
export const trashWorkFolder = (paths: Paths, id: string) => join(paths.runs, 'trash', id);
/** The lock for everything that concerns several stories: creating, archiving, epics, config. */
export const projectLock = (paths: Paths) => join(paths.locks, 'project');
export const sessionRecordFile = (paths: Paths, session: string) =>
  join(paths.sessions, `${session}.json`);
/** Returns the session whose record has this name. */
export const parseSessionRecordName = (name: string): string | undefined =>
  /^(.+)\.json$/.exec(name)?.[1];
export const stageFolder = (paths: Paths, name: string) => join(paths.staging, name);
/** Where the files of an item are for a moment, so that they disappear or appear in one step. */
export const deletingFolder = (paths: Paths, id: string) => join(paths.passing, `deleting-${id}`);
export const restoringFolder = (paths: Paths, id: string) => join(paths.passing, `restoring-${id}`);
/** The beginning of the name of a folder in which a plan is checked before it is written. */
export const checkedPlanPrefix = (paths: Paths, storyId: string) =>
  join(paths.runs, `.${storyId}-plan-`);
/** Where drafts of runs wait for a person. They stay on this machine, and outlive the worktree. */
export const draftsFolder = (paths: Paths) => join(paths.runs, 'drafts');
/** Where messages wait for the worker of a story: one file each, named so that they sort by time. */
export const messageFolder = (paths: Paths, storyId: string) =>
  join(paths.runs, 'messages', storyId);
/** Holds one note for each entry of a story's journal that comes from a person. */
export const wordsFolder = (paths: Paths, storyId: string) => join(paths.runs, 'words', storyId);
/** What a person wants of a running epic. A scheduler reads the file again whenever it changes. */
export const epicControlFile = (paths: Paths, epicId: string) =>
  join(paths.runs, 'epics', `${epicId}.json`);
/** What is needed to settle a run of a story whose worker was killed. */
export const unfinishedRunFile = (paths: Paths, storyId: string) =>
  join(paths.runs, 'unfinished', `${storyId}.json`);
/** Notes a split of a task that a worker began to write. */
export const splitNoteFile = (paths: Paths, storyId: string) =>
  join(paths.runs, 'splits', `${storyId}.json`);
/** Copies of what workers put back, each in a folder with the name of its session. */
export const putBackFolder = (paths: Paths) => join(paths.runs, 'put-back');
/** Copies of what one session put back. `part` is the id of a run, or `tests`. */
export const putBackCopies = (paths: Paths, session: string, part: string) =>
  join(putBackFolder(paths), session, part);
/** Records of the news that people were told. */
export const toldFolder = (paths: Paths) => join(paths.runs, 'told');
export const toldRecordFile = (paths: Paths, id: string) => join(toldFolder(paths), `${id}.json`);
/** What this machine knows of the fleet: how far it has read the news, and output files of sessions elsewhere. */
export const fleetFolder = (paths: Paths) => join(paths.runs, 'fleet');
/** Holds one file for each story or epic that another machine of the fleet works on. */
export const heldFolder = (paths: Paths) => join(paths.runs, 'held');
export const dashboardRecordFile = (paths: Paths) => join(paths.runs, 'dashboard.json');
/** Where older versions kept the token of the dashboard, in reach of every run. */
export const olderDashboardToken = ({ saga }: Paths) => join(saga, 'runs/dashboard-token');
export const overviewIndexFile = (paths: Paths) => join(paths.cache, 'overview.json');
export const gitFactsFile = (paths: Paths) => join(paths.cache, 'git-facts.json');
export const planCopiesFile = (paths: Paths) => join(paths.cache, 'plan-copies.json');
/** The version of a program, by the name of its file. */
export const programVersionFile = (paths: Paths, name: string) =>
  join(paths.cache, 'programs', name);
/** What is known of activity on the pull requests of a repository. */
export const activityFile = (paths: Paths, name: string) =>
  join(paths.cache, `activity-${name}.json`);
/** What is known of all places for clean checkouts. */
export const cleanNotesFolder = (paths: Paths) => join(paths.cache, 'clean');
/** A git folder for a story's worktree that has nothing that a run wrote. */
export const ownGitFolder = (paths: Paths, storyId: string) =>
  join(cleanNotesFolder(paths), `worktree-${storyId}`);
