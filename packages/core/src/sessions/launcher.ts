import type { Cause } from '@saga-ai/types/run/cause';
import type { OutcomeKind } from '@saga-ai/types/run/session-record';
import type { ConfigTexts } from '../plan/config.ts';

/** Starts workers, wherever they then run; whoever starts one can wait for its end. */
export interface Launcher {
  /** Throws if the worker cannot be started, or ends with an error before it is under way. */
  start(storyId: string, options?: LaunchOptions): Promise<Handle>;
}

export interface LaunchOptions {
  flags?: ConfigTexts;
  /** Go on although a blocker is open or another story should be first. */
  anyway?: boolean;
}

/** A worker that was started. */
export interface Handle {
  session: string;
  outputFile: string;
  /** How it ended. Never rejects: a worker that was killed ended with an error. */
  ended: Promise<LaunchEnd>;
  /** Asks it to stop, and returns when it has. One that ended before is left alone. */
  stop(reason: string): Promise<void>;
}

export interface LaunchEnd {
  kind: OutcomeKind;
  /** Why, as data; undefined if the worker did not live to say it. */
  cause?: Cause | undefined;
  reason: string;
  exitCode: number;
}
