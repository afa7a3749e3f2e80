import type { EpicView, StoryView } from '@saga-ai/types/screens/overview';
import type { Problem } from '@saga-ai/types/words/problem';

/** Everything that a recovery is planned by. `findRecoveryFacts` finds it; `planRecovery` decides by it. */
export interface RecoveryFacts {
  /** Milliseconds since the epoch. */
  now: number;
  stories: readonly StoryView[];
  epics: readonly EpicView[];
  problems: readonly Problem[];
  /** Ids in the archive. */
  archived: ReadonlySet<string>;
  /** What is known in detail of stories that were in flight, by id. */
  details: ReadonlyMap<string, StoryDetails>;
  /** The newest sessions of schedulers that were killed. */
  schedulers: readonly DeadSession[];
  worktrees: readonly WorktreeFacts[];
  branches: ItemBranches;
  locks: readonly LockFacts[];
  /** Processes whose worker is gone. */
  processes: readonly { pid: number; name: string; story: string; session: string }[];
  /** tmux sessions of this project whose worker is gone. */
  tmux: readonly { session: string; story: string; kill: string }[];
  /** Sessions that began on another machine and never ended, and that hold no lock. */
  elsewhere: readonly (Pick<DeadSession, 'session' | 'story' | 'file'> & {
    host: string;
    startedAt: string;
  })[];
  /** Native lists of sessions of this project. */
  lists: readonly { name: string; story: string; folder: string }[];
}

export interface StoryDetails {
  /** Undefined if the story has no worktree of its own. */
  worktree?: {
    folder: string;
    changed: readonly string[];
    operation?: string;
    /** Whether there is a note of an interrupted run. */
    hasUnfinishedRun: boolean;
  };
  ahead?: number;
  unpushed?: number;
  tasks: readonly { id: string; status: string; blockedBy: readonly string[] }[];
  hasUntold: boolean;
  session?: DeadSession;
}

/** A session whose worker no longer runs. */
export interface DeadSession {
  session: string;
  story: string;
  pid: number;
  /** The file of its record, as people read it. */
  file: string;
  /** Undefined if the worker was killed. */
  outcome?: string;
  lastEvent?: { type: string; time: string; file: string };
}

export interface WorktreeFacts {
  /** The story that SAGA made it for. */
  story: string;
  folder: string;
  /** The path of the folder, as people read it. */
  shown: string;
  /** Whether the folder is missing although git lists the worktree. */
  isGone: boolean;
  /** Whether the main checkout has the story's folder. */
  isPlanned: boolean;
}

export interface ItemBranches {
  remote?: string;
  /** Ids of items that have a branch here, and on the remote as last fetched. */
  stories: { local: ReadonlySet<string>; remote: ReadonlySet<string> };
  epics: { local: ReadonlySet<string>; remote: ReadonlySet<string> };
}

export interface LockFacts {
  path: string;
  shown: string;
  pid: number;
  host: string;
  /** Milliseconds since the epoch. */
  since: number;
  isElsewhere: boolean;
  /** Set if it is the lock of a worker or of a story. */
  story?: string;
}
