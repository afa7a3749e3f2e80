import type { Command, CommandEntry, Invocation } from '../../packages/cli/src/command.ts';
import { COMMANDS } from '../../packages/cli/src/command-table.ts';
import { JSON_VERSION } from '../../packages/cli/src/output/output.ts';
import { parseArguments } from '../../packages/cli/src/parse-arguments.ts';
import { lookForProject } from '../../packages/core/src/project/find-project.ts';
import { buildPaths } from '../../packages/core/src/project/paths.ts';
import { createSampleProject } from './json-project.ts';

/** Called in this order, each with `--json`; more than one for a command shows all it can print. */
const CALLS: readonly string[][] = [
  ['init'],
  ['create', '--title', 'Small', '--task', 'One'],
  ['create', '--title', 'Large', '--story', 'A part'],
  ['edit', 'small'],
  ['journal', 'pay'],
  ['journal', 'cart', 'add', '--title', 'A note'],
  ['check'],
  ['status'],
  ['list'],
  ['ready'],
  ['show', 'cart'],
  ['show', 'pay'],
  ['show', 'cart', 'one'],
  ['show', 'shop'],
  ['tree', '--tasks'],
  ['graph', 'shop'],
  ['search', 'cart'],
  ['dashboard', '--port', '0'],
  ['task', 'create', 'First', '--list', 'l', '--meta', 'area=docs'],
  ['task', 'q', 'Second', '--list', 'l'],
  ['task', 'dep', 'add', '2', '1', '--list', 'l'],
  ['task', 'ready', '--list', 'l'],
  ['task', 'blocked', '--list', 'l'],
  ['task', 'list', '--list', 'l'],
  ['task', 'search', 'first', '--list', 'l'],
  ['task', 'tree', '--list', 'l'],
  ['task', 'graph', '--list', 'l'],
  ['task', 'count', '--list', 'l'],
  ['task', 'status', '--list', 'l'],
  ['task', 'update', '1', '--subject', 'One', '--list', 'l'],
  ['task', 'label', '1', 'docs', '--list', 'l'],
  ['task', 'edit', '1', '--list', 'l'],
  ['task', 'claim', '1', '--list', 'l'],
  ['task', 'release', '1', '--list', 'l'],
  ['task', 'pop', '--list', 'l'],
  ['task', 'pop', '--list', 'l'],
  ['task', 'show', '1', '--list', 'l'],
  ['task', 'close', '1', '--list', 'l'],
  ['task', 'reopen', '1', '--list', 'l'],
  ['task', 'delete', '2', '--list', 'l'],
  ['run', 'small'],
  ['worker', 'pay'],
  ['sessions'],
  ['stop', 'done'],
  ['blockers'],
  ['resolve', 'pay', '--blocker', '1', '--with', 'The first.'],
  ['verify', 'done'],
  ['archive', 'old'],
  ['list', '--archived'],
  ['unarchive', 'old'],
  ['config'],
  ['completions', 'bash'],
];

/** What prints no such value, and what it prints instead. */
export const OTHERS: Readonly<Record<string, string>> = {
  attach: 'Nothing: it gives the terminal to tmux.',
  logs: 'The events of the output file, one JSON object a line: `{ "time", "type", … }`, with those of the client under `claude`. `saga schema session-event` prints their schema.',
  schema: 'The JSON Schema itself, with or without `--json`.',
  'task watch': 'One object a line for every change: `{ "time", "id", "from", "to", "owner" }`.',
};

/** They ask the real client, which takes seconds: what they print is told here by hand. */
export const TOLD: Readonly<Record<string, string>> = {
  rehearse: `{
  "version": 1,
  "story": string,
  "holds": boolean,
  "findings": [Finding],
  "outputFile": string,
  "elapsedMs": number,
  "kept": { "branch": string, "worktree": string } | null
}`,
  doctor: `{
  "version": 1,
  "holds": boolean,
  "findings": [Finding],
  "fixed": [string]
}`,
  demo: `{
  "version": 1,
  "results": [{
    "id": string,
    "status": "pending" | "in_progress" | "completed",
    "progress": { "completed": number, "total": number },
    "branch": string | null,
    "commits": number,
    "evidence": { "command": string, "holds": boolean } | null,
    "question": string | null,
    "trouble": string | null,
    "waitsFor": [string]
  }],
  "testsBefore": { "passed": number, "total": number },
  "testsAfter": { "passed": number, "total": number },
  "receipt"?: [string],
  "storiesMs": number,
  "totalMs": number,
  "client": string,
  "folder": string
}`,
};

export interface Sample {
  /** With its verb: `task ready`. */
  command: string;
  /** As people type it. */
  call: string;
  value: object;
}

/** Runs every command on a sample project, in this process, and keeps what it would have printed. */
export async function collectSamples(): Promise<Sample[]> {
  using project = createSampleProject();
  const samples: Sample[] = [];
  for (const call of CALLS) {
    const { name, command, words } = await findCommand(call, COMMANDS);
    const value = await runSilently(name, command, words, project.root);
    samples.push({ command: name, call: call.join(' '), value });
  }
  return samples;
}

/** Every command that people see, verbs as `task ready`. */
export async function listCommands(
  table: readonly CommandEntry[] = COMMANDS,
  prefix = '',
): Promise<string[]> {
  const names = table
    .filter((it) => !it.hidden)
    .map(async (entry) => {
      const { verbs } = (await entry.load()).command;
      const name = `${prefix}${entry.name}`;
      return verbs ? listCommands(verbs, `${name} `) : [name];
    });
  return (await Promise.all(names)).flat();
}

async function findCommand(
  [word = '', ...rest]: readonly string[],
  table: readonly CommandEntry[],
  prefix = '',
): Promise<{ name: string; command: Command; words: string[] }> {
  const entry = table.find((it) => it.name === word);
  if (!entry) throw new Error(`there is no command saga ${prefix}${word}`);
  const { command } = await entry.load();
  const name = `${prefix}${word}`;
  return command.verbs
    ? findCommand(rest, command.verbs, `${name} `)
    : { name, command, words: [...rest] };
}

/** A server would go on after it has printed; what is thrown then ends it in order. */
class Printed extends Error {
  readonly value: object;

  constructor(value: object) {
    super('printed');
    this.value = value;
  }
}

async function runSilently(
  name: string,
  command: Command,
  words: string[],
  folder: string,
): Promise<object> {
  const { args, values } = parseArguments(name, command, words);
  const text = (key: string) => (typeof values[key] === 'string' ? values[key] : undefined);
  const invocation: Invocation = {
    args,
    flag: (key) => values[key] === true,
    text,
    texts: (key) => (Array.isArray(values[key]) ? values[key].map(String) : []),
    folder,
    paths: () => buildPaths(lookForProject(folder)?.root ?? folder),
    out: {
      json: true,
      width: 80,
      paint: (_, it) => it,
      value: (value) => {
        throw new Printed({ version: JSON_VERSION, ...value });
      },
      lines: () => {},
      problems: () => {},
    },
  };
  try {
    await command.run?.(invocation);
  } catch (thrown) {
    if (thrown instanceof Printed) return thrown.value;
    throw new Error(`saga ${name} ${words.join(' ')} failed`, { cause: thrown });
  }
  throw new Error(`saga ${name} printed no value: name it in OTHERS, with what it prints`);
}
