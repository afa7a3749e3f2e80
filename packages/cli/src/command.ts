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
  /** The argument takes all words that follow. */
  rest?: boolean;
  /** What completions offer. */
  complete?: 'story' | 'item' | 'task' | readonly string[];
}

/** `Json` is the type that the command prints with `--json`. A command without this type prints no JSON. */
export interface Invocation<Json extends object = never> {
  /** The arguments by position. The array ends with the last argument that was given. */
  args: string[];
  flag(name: string): boolean;
  text(name: string): string | undefined;
  texts(name: string): string[];
  out: Output<Json>;
  /** Returns the paths of the project. The project is searched for on the first call. */
  paths(): Paths;
  /** The value of `--project`; without the option, the folder in which the command was started. */
  folder: string;
}

/** One line of a table of commands. `load` imports the code of the command. */
export interface CommandEntry {
  name: string;
  summary: string;
  group?: string;
  hidden?: boolean;
  load(): Promise<{ command: Command<object> }>;
}

/** How a command is called. Help, completions and the parser need nothing else. */
export interface CommandSpec {
  /** The subcommands, as in `saga task ready`. A command with subcommands has no `run`. */
  verbs?: readonly CommandEntry[];
  /** The subcommand that runs if the person names none. If undefined, help is shown. */
  usual?: string;
  args?: readonly ArgumentSpec[];
  options?: Readonly<Record<string, OptionSpec>>;
  /** A longer description than the summary, shown by --help. */
  about?: string;
  examples?: readonly string[];
}

/**
 * A command. `output` is the schema of what the command prints with `--json`: the reference is generated
 * from it, a test compares real outputs with it, and the compiler checks `out.value` against its type.
 */
export interface Command<Json extends object = never> extends CommandSpec {
  /** Loads the schema. Only the reference and the tests call it; printing a value does not need it. */
  output?: () => Promise<Schema<Json>>;
  /** Set if the command does not print a single value: it prints one `output` a line, or what `instead` says. */
  stream?: 'lines' | { instead: string };
  /** Returns the exit code; undefined means 0. */
  run?(invocation: Invocation<Json>): number | undefined | Promise<number | undefined>;
}
