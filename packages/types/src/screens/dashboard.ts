import type { DraftView } from '../plan/follow-up.ts';
import type { ReadEntry } from '../plan/journal.ts';
import type { Progress } from '../plan/status.ts';
import type { Story } from '../plan/story.ts';
import type { Task } from '../plan/task.ts';
import type { SessionEvent } from '../run/event.ts';
import type { Evidence } from '../run/evidence.ts';
import type { Problem } from '../words/problem.ts';
import type { InFlight } from './json/recovery.ts';
import type { ChangeEvent, SessionSummary } from './live.ts';
import type { EpicView, StoryView } from './overview.ts';

/** The answers of the dashboard's server to its pages. Every list is split into pages. */
export interface Page<T> {
  items: T[];
  /** The number of all matching items, not only those of this page. */
  total: number;
  /** The cursor of the next page; null on the last page. */
  cursor: string | null;
}

/** GET /api/home: what needs a person, what runs, what is next. */
export interface HomeAnswer {
  project: string;
  counts: {
    stories: number;
    epics: number;
    needsYou: number;
    running: number;
    interrupted: number;
    inReview: number;
    ready: number;
    waiting: number;
    done: number;
    problems: number;
  };
  needsYou: StoryView[];
  interrupted: StoryView[];
  running: StoryView[];
  ready: StoryView[];
  /** Stories that runs propose, and that a person has not decided about. */
  drafts: DraftView[];
  epics: EpicView[];
  /** Whether an engine is set, so that there is a page of the fleet. */
  hasFleet: boolean;
  /** The number of the latest event of the stream. To follow from here: `/api/events?after=<number>`. */
  lastEvent: number;
  /**
   * False in the first moments of a large project: some of the data comes from the index and is not yet
   * compared with the files. Differences arrive later as changes.
   */
  isVerified: boolean;
  /** The folder of the project, if its plan is no longer there: it was moved or deleted. */
  goneFrom?: string;
}

export const STORY_FILTERS = [
  'all',
  'needs-you',
  'running',
  'ready',
  'waiting',
  'interrupted',
  'in-review',
  'done',
] as const;
export type StoryFilter = (typeof STORY_FILTERS)[number];
export const STORY_SORTS = ['state', 'id', 'title', 'progress'] as const;
export type StorySort = (typeof STORY_SORTS)[number];

/** GET /api/stories?query=&filter=&sort=&epic=&cursor=&limit= */
export type StoriesAnswer = Page<StoryView>;

/** GET /api/find?query=: the epics and stories that match best, the best first. */
export interface FindAnswer {
  epics: EpicView[];
  stories: StoryView[];
}

/** GET /api/epics?cursor=&limit= */
export type EpicsAnswer = Page<EpicView>;

/**
 * GET /api/epics/:id: the epic, its children of either kind, and the longest chain of dependencies
 * among those that are not done.
 */
export interface EpicAnswer {
  epic: EpicView & { description: string };
  stories: StoryView[];
  epics: EpicView[];
  criticalPath: string[];
}

/**
 * GET /api/epics/:id/history: when the tasks of an epic, at any depth, were completed. The times come from
 * the output files of sessions, and from git: the time of the commit that completed the task. They are not
 * stored anywhere else, so a task that neither of them knows has no time.
 */
export interface EpicHistoryAnswer {
  /** The current counts. */
  tasks: Progress;
  stories: Progress;
  /** The number of completed tasks without a known time. The history counts them from its beginning. */
  undated: number;
  /** Oldest first. If there are very many, some are left out, but never the last. */
  points: HistoryPoint[];
  /** False until git and the output files were read once. Then a change event names the epic. */
  isRead: boolean;
}

export interface HistoryPoint {
  /** ISO time. */
  time: string;
  /** The number of tasks completed by then, including those without a time. */
  completed: number;
  /** The tasks that this event completed, if any. */
  stories?: { id: string; title: string }[];
}

export type { SessionSummary };

export interface DiffFile {
  path: string;
  added: number | null;
  removed: number | null;
}

export interface DiffSummary {
  /** Names of branches, or commits if the story is merged. */
  base: string;
  head: string;
  /** Whether the story is merged. Then the files are those that it changed. */
  isMerged: boolean;
  files: DiffFile[];
  /** The number of files that are not listed. */
  omitted: number;
}

/** An item that a story waits for. The kind is missing if the plan has no such item. */
export interface WaitedFor {
  id: string;
  title: string;
  kind?: 'story' | 'epic';
}

/** GET /api/stories/:id: everything that a reviewer needs to know about a story. */
export interface StoryAnswer {
  view: StoryView;
  story: Story;
  tasks: Task[];
  journal: ReadEntry[];
  openBlockers: ReadEntry[];
  evidence: Evidence | null;
  /** Newest first. */
  sessions: SessionSummary[];
  /** What the story waits for. */
  waitsFor: WaitedFor[];
  /** The difference to the base branch, or what a merged story changed; null while the story has no branch. */
  diff: DiffSummary | null;
  problems: Problem[];
}

/** A session with the title of its story. */
export interface TitledSession extends SessionSummary {
  title: string;
}

/** GET /api/sessions?story=&cursor=&limit= */
export type SessionsAnswer = Page<TitledSession>;

/** GET /api/sessions/:session */
export interface SessionAnswer {
  session: TitledSession;
  tasks: Task[];
  /** The story; null if it is gone, or if the story has a newer session. */
  view: StoryView | null;
}

/**
 * GET /api/sessions/:session/log?from=&bytes=: whole lines of a window of the output file. `from` is a
 * byte offset, or -1 for the end of the file. The next window starts at `to`.
 */
export interface LogAnswer {
  from: number;
  to: number;
  size: number;
  events: SessionEvent[];
}

/** GET /api/problems */
export interface ProblemsAnswer {
  problems: Problem[];
  /** Plans in older and foreign formats that lie in the project. They are no problem; `saga migrate` takes them over. */
  oldPlans: { format: string; about: string; files: string[] }[];
}

/**
 * GET /api/events: a stream of server-sent events named `change`, or `reset` if the reader missed too many.
 * The stream continues after `Last-Event-ID` or the number in `?after=`. A change also names each session
 * whose output file grew.
 */
export type { ChangeEvent };

/** What `saga recover` says of a story; null if it was not in flight. */
export interface RecoveryAnswer {
  item: InFlight | null;
}

/**
 * POST /api/stories/:id/run, /stop, /update, /discard, /tell, /resolve, and POST /api/epics/:id/run, /pause,
 * /continue, /jobs, /stop, each with the token in the header `x-saga-token`. POST /api/token does nothing but
 * check the token.
 */
export interface ActionAnswer {
  ok: true;
  message: string;
}

/** The body of /resolve. */
export interface ResolveRequest {
  blocker: string;
  answer: string;
}

/** The body of /tell. */
export interface TellRequest {
  text: string;
  /** True if the run stops its current step and reads the text first. */
  interrupts: boolean;
}

/** The answer to a request that was refused. */
export interface ErrorAnswer {
  error: { code: string; message: string; hint: string };
}
