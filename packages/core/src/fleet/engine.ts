import type { SessionRecord } from '@saga-ai/types/run/session-record';
import type { MachineWish } from '@saga-ai/types/screens/fleet-view';
import type { ConfigTexts } from '../plan/config.ts';
import type { LaunchEnd } from '../sessions/launcher.ts';

export type { MachineWish };

/**
 * What SAGA needs of an engine, the control plane of a fleet. The engine knows the jobs, which machine works on each
 * and since when, and it carries events and words between machines. It does not know the status of a task, which comes
 * from git.
 */
export interface Engine {
  readonly jobs: JobQueue;
  readonly machines: MachineRoll;
  readonly news: NewsBoard;
  /** Ends the connection. Jobs that this process has taken go back when their leases end, not here. */
  close(): Promise<void>;
}

/** One repository on the engine. Repositories see nothing of each other. */
export interface RepositoryName {
  /** Derived from the address: the same on all machines. */
  key: string;
  /** The address without a password, for people. */
  url: string;
}

export interface Job {
  repository: RepositoryName;
  kind: 'story' | 'epic';
  /** The id of the story or of the epic. */
  id: string;
  /** Only a machine with all of these labels takes the job. */
  needs: readonly string[];
  /** Settings for this run. */
  flags: ConfigTexts;
  anyway: boolean;
  /** Arguments of `saga worker` beside the settings, for the scheduler of an epic. */
  epicArguments?: readonly string[];
  /** The machine that handed the job over, for people. */
  by: string;
}

export interface JobQueue {
  /** Hands a job over. Returns `already` if the story or epic is queued or under way; then nothing is changed. */
  offer(job: Job): Promise<'queued' | 'already'>;
  /** Takes up to `most` jobs that fit. Returns an empty list if there is none. */
  take(who: Taker, kind: Job['kind'], most: number): Promise<Lease[]>;
  /**
   * Calls `wake` when a job may have become free for this machine. A job that `take` would find is announced
   * within a few seconds.
   */
  listen(who: Taker, wake: () => void): Promise<AsyncDisposable>;
  /**
   * All jobs of a repository that are queued or under way; of those that ended, the ones of the last day (the newest
   * thousand at most) and in any case the newest ten.
   */
  list(repositoryKey: string): Promise<JobState[]>;
  /** Takes a queued job back. Returns false if no job was queued. */
  withdraw(repositoryKey: string, id: string): Promise<boolean>;
}

/** A machine that takes jobs. */
export interface Taker {
  machine: string;
  labels: readonly string[];
  repositories: readonly RepositoryName[];
}

/** The right to work on one story or epic, until it is lost. */
export interface Lease {
  job: Job;
  /** Grows with every lease of the engine. A machine with a lower number must not push over a higher one. */
  number: number;
  /**
   * When the lease was taken, by the engine's clock, in milliseconds since the epoch. The session is named after this
   * time.
   */
  takenAt: number;
  /** How many machines had this job before. */
  earlier: number;
  /**
   * Says that this machine lives. Returns false if the lease is lost for good. Throws if the engine cannot be reached.
   */
  renew(): Promise<boolean>;
  /** Says that the job is over. Returns false if the lease was lost before; then nothing was changed. */
  finish(end: LaunchEnd): Promise<boolean>;
  /** Puts the job back into the queue, for another machine. */
  giveBack(reason: string): Promise<void>;
}

export interface JobState {
  id: string;
  kind: Job['kind'];
  state: 'queued' | 'active' | 'ended';
  needs: readonly string[];
  by: string;
  /** ISO times. */
  queuedAt: string;
  takenAt?: string;
  endedAt?: string;
  machine?: string;
  lease?: number;
  /** When the machine last renewed its lease. */
  seenAt?: string;
  end?: LaunchEnd;
}

export interface Machine {
  /** Unique in the fleet. */
  name: string;
  labels: readonly string[];
  repositories: readonly RepositoryName[];
  /** How many stories it works on at most. */
  jobs: number;
  /** How many stories it works on now, of all repositories. */
  busy: number;
  sagaVersion: string;
  clientVersion: string;
  since: string;
  seenAt: string;
  /** `paused`: takes no jobs. `draining`: takes no jobs and ends when its last one is over. `removed`: must end now. */
  wish: MachineWish;
  /** Why the machine takes no jobs although its wish is to work, such as a full disk. */
  trouble?: string;
  /** False if it has not been heard of for longer than a lease lasts. */
  isAlive: boolean;
}

export interface MachineRoll {
  /**
   * Registers the machine, or says that it lives. Returns the wish for it. Throws if another living machine has the
   * name.
   */
  report(machine: MachineReport): Promise<MachineWish>;
  leave(name: string): Promise<void>;
  list(): Promise<Machine[]>;
  /** Saves a wish for a machine. Returns false if there is no such machine. */
  wish(name: string, wish: MachineWish): Promise<boolean>;
}

export interface MachineReport
  extends Omit<Machine, 'busy' | 'since' | 'seenAt' | 'wish' | 'isAlive'> {
  /** Tells two processes with the same name apart. */
  instance: string;
}

/** Something that a worker's session reported. */
export interface SessionNews {
  /** The position of the news, which grows. A reader remembers the last one that it read. */
  position: number;
  session: string;
  story: string;
  machine: string;
  /** Lines of the session's output file, in order, without newlines. */
  lines: readonly string[];
  /** The first line's number in the output file, so that a line which is told twice is kept once. */
  from: number;
  /** The session's record as it was then. */
  record?: SessionRecord;
}

/**
 * A word from a person to the machine that has a story. It contains what a command without a fleet would write to disk.
 */
export interface Word {
  id: number;
  story: string;
  kind: 'stop' | 'tell' | 'resolve' | 'feedback' | 'control';
  /** What the command would have written, as JSON. */
  content: unknown;
  by: string;
  at: string;
}

export interface NewsBoard {
  tell(repositoryKey: string, news: Omit<SessionNews, 'position'>): Promise<void>;
  /** News after a position, oldest first, at most `most` entries. */
  read(repositoryKey: string, after: number, most: number): Promise<SessionNews[]>;
  /** Calls `wake` when there may be news or words of the repository. */
  listen(repositoryKey: string, wake: () => void): Promise<AsyncDisposable>;
  say(repositoryKey: string, word: Omit<Word, 'id' | 'at'>): Promise<void>;
  /** The words for a story that nobody has carried out yet, oldest first. */
  hear(repositoryKey: string, story: string): Promise<Word[]>;
  /** Says that words were carried out. Until then they are heard again, so a killed machine loses none. */
  heard(ids: readonly number[]): Promise<void>;
}
