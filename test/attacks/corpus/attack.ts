import type { ToolCall } from '@saga-ai/model';
import type { Workshop } from '../../rig/worker/workshop.ts';

/** How an attack ended. */
export const VERDICTS = {
  refused: 'It does not work.',
  undone: 'It is undone or stopped after the run, and reported.',
  noticed: 'It works, and is reported.',
  harmless: 'It works, and nothing comes of it.',
  allowed: 'It works, because a setting of the sandbox allows it.',
  SILENT: 'It works, and nobody is told.',
} as const;
export type Verdict = keyof typeof VERDICTS;

/** The values of `worker.sandbox` that the corpus runs with. */
export const MODES = ['off', 'auto', 'required'] as const;
export type Mode = (typeof MODES)[number];

/** One thing that a hostile run, or a hostile repository, tries. */
export interface Attack {
  id: string;
  /** A sentence for the guide, with the run as its subject: "moves the branch main". */
  title: string;
  /** What the run calls, one call a turn. A text is a command for Bash. */
  calls?(place: Place): readonly (string | ToolCall)[];
  /** Whether the attack has what it wanted, once the worker has ended. */
  stands(seen: Seen): boolean | Promise<boolean>;
  /** What a report of this attack contains. Without it, only a denial counts as a report. */
  told?: RegExp;
  /** Set if what stands is worth nothing to an attacker, with the reason. */
  harmless?: string;
  /** The setting of the sandbox that allows it, with its value. */
  allowedBy?: string;
}

/** Attacks that share one worker, because none of them can influence another. */
export interface Scene {
  id: string;
  group: string;
  attacks: readonly Attack[];
  /** Settings besides `worker.sandbox`. */
  config?: Record<string, Record<string, unknown>>;
  story?: object;
  /** Ids of the story's tasks; `one` if not given. */
  tasks?: readonly string[];
  env?(place: Place): Record<string, string>;
  /** Before the plan is committed. If it returns a Disposable, that is closed at the end. */
  prepare?(it: Workshop, place: Place): unknown;
  /** After the story is written, and before the worker starts. */
  beforeStart?(it: Workshop, place: Place): void;
  /** Instead of one worker. Returns what the commands printed. */
  act?(it: Workshop, place: Place): Promise<string>;
  /** Set if an attack ends its own run. Otherwise a run that ends before all calls is an error of the test. */
  endsRun?: true;
  /** Set if only root can do it where no walls stand: then other users play it behind walls only. */
  isRoot?: true;
  /** False if no walls stand around what happens: the scene is played once, and counts for all modes. */
  hasRun?: false;
}

/** Where things are. */
export interface Place {
  /** The folder that everything lies in. */
  folder: string;
  root: string;
  worktree: string;
  home: string;
  origin: string;
  /** The repository of the attacker, bare. */
  evil: string;
  /** A folder that is none of the story's business. */
  outside: string;
  sessions: string;
}

/** What is there once the worker has ended. */
export interface Seen {
  it: Workshop;
  place: Place;
  /** What the model was shown for the calls of this attack. */
  answers: string;
  /** The names that planted programs left when SAGA ran them. */
  planted: string;
  /** The gate of the story passed. */
  hasPassed: boolean;
  /** What the worker and later commands printed. */
  printed: string;
  /** Runs git so that nothing planted has an effect. Returns '' if git fails. */
  git(cwd: string, ...args: string[]): string;
  /** A file of the branch as it was pushed; '' if it is not there. */
  pushed(path: string): string;
}
