import type { JournalEntry } from '../plan/journal.ts';
import type { Progress } from '../plan/status.ts';
import type { Story } from '../plan/story.ts';
import type { Task } from '../plan/task.ts';
import type { SessionEvent } from '../run/event.ts';
import type { Evidence } from '../run/evidence.ts';
import type { Problem } from '../words/problem.ts';
import type { ChangeEvent, SessionSummary } from './live.ts';
import type { EpicView, StoryView } from './overview.ts';

/** What the dashboard's server answers; its pages receive nothing else. Every list is paged. */
export interface Page<T> {
  items: T[];
  /** All that fit, not only these. */
  total: number;
  /** For the next page; null at the end. */
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
    ready: number;
    done: number;
    problems: number;
  };
  needsYou: StoryView[];
  running: StoryView[];
  ready: StoryView[];
  epics: EpicView[];
  /** The latest event of the stream, for whoever wants to follow from here: `/api/events?after=`. */
  lastEvent: number;
  /**
   * False for the first moments of a large project: some of it is remembered from the last time and
   * not yet compared with the files. What differs then comes as changes.
   */
  isVerified: boolean;
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

/** GET /api/find?query=: the few of all epics and stories that fit best, the best first. */
export interface FindAnswer {
  epics: EpicView[];
  stories: StoryView[];
}

/** GET /api/epics?cursor=&limit= */
export type EpicsAnswer = Page<EpicView>;

/** GET /api/epics/:id: the epic, its children of either kind, and the longest way through them. */
export interface EpicAnswer {
  epic: EpicView & { description: string };
  stories: StoryView[];
  epics: EpicView[];
  criticalPath: string[];
}

/**
 * GET /api/epics/:id/history: when the tasks below an epic, at any depth, were completed. It is told
 * from the output files of sessions, to the second, and from git, where the commit that says so
 * counts. Nothing is stored for it, so what neither of them knows has no time.
 */
export interface EpicHistoryAnswer {
  /** As they are now. */
  tasks: Progress;
  stories: Progress;
  /** Tasks of which nobody knows when they were completed; they are counted from the beginning. */
  undated: number;
  /** Oldest first. Of very many some are left out, never the last. */
  points: HistoryPoint[];
  /** False until git and the output files were asked once; an event names the epic then. */
  isRead: boolean;
}

export interface HistoryPoint {
  /** ISO time. */
  time: string;
  /** Tasks completed by then, the undated included. */
  completed: number;
  /** Those that were completed by it, if any. */
  stories?: { id: string; title: string }[];
}

export type { SessionSummary };

export interface DiffFile {
  path: string;
  added: number | null;
  removed: number | null;
}

export interface DiffSummary {
  /** Names of branches. */
  base: string;
  head: string;
  files: DiffFile[];
  /** Files beyond those listed. */
  omitted: number;
}

/** GET /api/stories/:id: a story as a document a reviewer can trust. */
export interface StoryAnswer {
  view: StoryView;
  story: Story;
  tasks: Task[];
  journal: JournalEntry[];
  /** Titles of blockers that are open. */
  openBlockers: string[];
  evidence: Evidence | null;
  /** Newest first. */
  sessions: SessionSummary[];
  /** Against the branch it started from; null while there is no branch. */
  diff: DiffSummary | null;
  problems: Problem[];
}

/** GET /api/sessions?story=&cursor=&limit= */
export type SessionsAnswer = Page<SessionSummary>;

/** GET /api/sessions/:session */
export interface SessionAnswer {
  session: SessionSummary;
  tasks: Task[];
}

/**
 * GET /api/sessions/:session/log?from=&bytes=: whole lines of any window of the output file. `from` is
 * a byte offset, or -1 for the end. What follows starts at `to`.
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
}

/**
 * GET /api/events, a stream of server-sent events named `change`; `reset` when too much was missed.
 * It goes on after `Last-Event-ID`, or the number in `?after=`. A session is named too whenever its
 * output file grew.
 */
export type { ChangeEvent };

/** POST /api/stories/:id/run, /stop, /resolve, each with the token in the header `x-saga-token`. */
export interface ActionAnswer {
  ok: true;
  message: string;
}

/** The body of /resolve. */
export interface ResolveRequest {
  blocker: string;
  answer: string;
}

/** Whatever was refused. */
export interface ErrorAnswer {
  error: { code: string; message: string; hint: string };
}
