import type { Cause } from '@saga-ai/types/run/cause';
import type { OutcomeKind, SessionRecord } from '@saga-ai/types/run/session-record';
import type { ConfigTexts } from '../plan/config.ts';

/** Starts workers, in tmux, in this process or on other machines. The caller can wait for their end. */
export interface Launcher {
  /** Throws if the worker cannot be started, or ends with an error before it has a worktree. */
  start(storyId: string, options?: LaunchOptions): Promise<Handle>;
  /**
   * Stops a worker that an earlier process started with such a launcher. If undefined, `stopSession` stops the worker.
   */
  stopEarlier?(record: SessionRecord, reason: string): Promise<void>;
}

export interface LaunchOptions {
  flags?: ConfigTexts;
  /** Start although a blocker is open or another story should be first. */
  anyway?: boolean;
}

/** A worker that was started. */
export interface Handle {
  session: string;
  outputFile: string;
  /** Resolves to how the worker ended. Never rejects: a killed worker counts as ended with an error. */
  ended: Promise<LaunchEnd>;
  /** Asks the worker to stop and resolves when it has ended. Does nothing if it ended before. */
  stop(reason: string): Promise<void>;
}

export interface LaunchEnd {
  kind: OutcomeKind;
  /** Why the worker ended, as data; undefined if it was killed. */
  cause?: Cause | undefined;
  reason: string;
  exitCode: number;
}
