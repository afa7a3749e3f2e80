import type { Ended } from '../../rig/programs/run-program.ts';
import type { TmuxServer } from '../../rig/worker/tmux-server.ts';
import type { Workshop, WorkshopOptions } from '../../rig/worker/workshop.ts';

/** How a worker ended, with the code of an error: `error disk-full`. */
export type End = 'done' | 'killed' | 'limit' | 'needs you' | `error ${string}`;

/** One thing that goes wrong while a worker works on a story, and what is promised then. */
export interface Fault {
  id: string;
  group: string;
  /** For docs/reliability.md: "`kill -9` of the client in a run". */
  fault: string;
  /** How the worker ends that the fault meets. */
  ends: End;
  /** More about what happens, as a sentence. `strike` or `check` proves it. */
  also?: string;
  /** How the next worker ends, once the cause is gone. Left out if the story is finished already. */
  next?: End;
  /** Said in the table instead of `next`. */
  mended?: string;
  /** What is lost, in the words of the judge. Only for what a person deleted. */
  loses?: string;
  workshop?(): WorkshopOptions;
  /** Fields of the story. */
  story?(it: Workshop): object;
  config?: object;
  /** Settings of the undisturbed story that tells what is usually left; none if missing. */
  usual?: object;
  /** Before the worker starts. A Disposable that it returns is closed at the end. */
  prepare?(site: Site): unknown;
  /** Starts the worker, lets the fault happen, and waits for the worker's end. */
  strike(site: Site): Promise<Ended>;
  /** Takes the cause away, before the next worker. */
  mend?(site: Site): unknown;
  /** Throws if something else than promised happened. At the very end. */
  check?(site: Site, struck: Ended): unknown;
  /** Paths and refs that are left on purpose: a person decides about them. */
  keeps?: readonly RegExp[];
  /** Set if a branch is rewritten on purpose, so commits of before are not on it. */
  rewrites?: true;
  /** Stories beside cart that have a worker, too. */
  others?: readonly string[];
}

export interface Site {
  it: Workshop;
  tmux: TmuxServer;
  worktree: string;
  /** Runs the worker of the story to its end. */
  work(...args: string[]): Promise<Ended>;
}

/** What is promised of a fault, and what a test saw. */
export interface Row {
  ends: End;
  harm: string;
  left: string;
  next: End | 'not needed';
}

export interface Played {
  row: Row;
  /** What the workers printed, for whoever looks into a row that is not as promised. */
  printed: string;
}

export const NOTHING = 'nothing';

export function promiseOf({ ends, next, loses = NOTHING }: Fault): Row {
  return { ends, harm: loses, left: NOTHING, next: next ?? 'not needed' };
}

export function describeEnd({ code, stderr }: Ended): End {
  if (code === null) return 'killed';
  if (code === 0) return 'done';
  if (code === 2) return 'limit';
  if (code === 3) return 'needs you';
  return `error ${/\[([a-z-]+)\]/.exec(stderr)?.[1] ?? stderr}`;
}
