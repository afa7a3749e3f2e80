import type { Paths } from '@saga-ai/core/project/paths';
import type { Schema } from '@saga-ai/types/schema';
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

/** `Json` is what the command may print with `--json`; nothing if it is left out. */
export interface Invocation<Json extends object = never> {
  /** By position; those not given are missing. */
  args: string[];
  flag(name: string): boolean;
  text(name: string): string | undefined;
  texts(name: string): string[];
  out: Output<Json>;
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
  load(): Promise<{ command: Command<object> }>;
}

/** How a command is called: all that help, completions and the parser need to know. */
export interface CommandSpec {
  /** A command that only gathers others: `saga task ready`. It has no `run` of its own. */
  verbs?: readonly CommandEntry[];
  args?: readonly ArgumentSpec[];
  options?: Readonly<Record<string, OptionSpec>>;
  /** More than the summary says, shown by --help. */
  about?: string;
  examples?: readonly string[];
}

/**
 * A command, and the one home of what it prints with `--json`: the reference is written from `output`,
 * a test holds real outputs against it, and the compiler holds `out.value` to its type.
 */
export interface Command<Json extends object = never> extends CommandSpec {
  /** Loaded only when somebody asks for the schema: a command that prints a value does not need it. */
  output?: () => Promise<Schema<Json>>;
  /** It prints no single value: one of `output` a line, or what is said here. */
  stream?: 'lines' | { instead: string };
  /** The exit code, 0 when nothing is returned. */
  run?(invocation: Invocation<Json>): number | undefined | Promise<number | undefined>;
}
