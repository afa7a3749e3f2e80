import type { Paths } from '@saga-ai/core/project/paths';
import type { Output } from './output/output.ts';

export interface OptionSpec {
  /** `boolean` is a switch; `text` takes a value; `texts` may be given more than once. */
  type: 'boolean' | 'text' | 'texts';
  short?: string;
  value?: string;
  help: string;
  /** Allowed values, for checking and for completions. */
  choices?: readonly string[];
}

export interface ArgumentSpec {
  name: string;
  help: string;
  required?: boolean;
  /** Takes all that follows. */
  rest?: boolean;
  /** What completions offer. */
  complete?: 'story' | 'item' | 'task' | readonly string[];
}

export interface Invocation {
  /** By position; those not given are missing. */
  args: string[];
  flag(name: string): boolean;
  text(name: string): string | undefined;
  texts(name: string): string[];
  out: Output;
  /** The project, looked for on first use. */
  paths(): Paths;
  /** The folder the command is about: `--project`, else where it was started. */
  folder: string;
}

/** One line of a table of commands; the code behind it is loaded only when it is called. */
export interface CommandEntry {
  name: string;
  summary: string;
  group?: string;
  hidden?: boolean;
  load(): Promise<{ command: Command }>;
}

export interface Command {
  /** A command that only gathers others: `saga task ready`. It has no `run` of its own. */
  verbs?: readonly CommandEntry[];
  args?: readonly ArgumentSpec[];
  options?: Readonly<Record<string, OptionSpec>>;
  /** More than the summary says, shown by --help. */
  about?: string;
  examples?: readonly string[];
  /** The exit code, 0 when nothing is returned. */
  run?(invocation: Invocation): number | undefined | Promise<number | undefined>;
}
