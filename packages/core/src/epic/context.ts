import type { Epic } from '@saga-ai/types/plan/epic';
import type { Trouble } from '@saga-ai/types/run/session-record';
import type { Base } from '../git/find-base.ts';
import type { Git } from '../git/git.ts';
import type { Launcher } from '../sessions/launcher.ts';
import type { Worker } from '../worker/context.ts';
import type { EpicItem } from './layout.ts';

/** Everything that the scheduler of an epic is started with. None of it changes while it runs. */
export interface EpicRun {
  /**
   * The same values that a worker gets, with the epic's id in place of a story's, because merges are verified like
   * stories.
   */
  worker: Worker;
  epicId: string;
  /** All epics of the project, by id. */
  epics: ReadonlyMap<string, Epic>;
  items: readonly EpicItem[];
  /** The branch that the outermost epic is merged into. */
  base: Base;
  /** git in the main checkout. */
  git: Git;
  launcher: Launcher;
  options: EpicOptions;
  /** Keeps what a person must help with where every screen finds it. */
  keepTroubles(troubles: readonly Trouble[]): void;
}

export interface EpicOptions {
  jobs: number;
  failFast: boolean;
  /** Only these stories begin. Undefined means all. */
  chosen?: ReadonlySet<string>;
  budgetUsd?: number;
  budgetTokens?: number;
  /** True if the scheduler ends as soon as only a person can help, instead of waiting for that person. */
  noWait: boolean;
  /** Settings for the workers of this run. */
  flags: Readonly<Record<string, string>>;
}
