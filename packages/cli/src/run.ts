import { resolve } from 'node:path';
import { messageOf, SagaError, toSystemError } from '@saga-ai/core/errors';
import { findProject, lookForProject } from '@saga-ai/core/project/find-project';
import { buildPaths, type Paths } from '@saga-ai/core/project/paths';
import { moveOlderRecords } from '@saga-ai/core/records/move-older-records';
import { findNearest } from '@saga-ai/types/words/nearest';
import type { Command, CommandEntry, Invocation } from './command.ts';
import { COMMANDS } from './command-table.ts';
import { environment } from './environment.ts';
import { mayHaveEngine } from './fleet/may-have-engine.ts';
import { createOutput, formatValue, writeProblems } from './output/output.ts';
import { writeAll } from './output/write.ts';
import { type ParsedArguments, parseArguments } from './parse-arguments.ts';

/** Runs one command line and returns its exit code. Errors are printed here and nowhere else. */
export async function run(argv: string[]): Promise<number> {
  const json = wantsJson(argv);
  try {
    return await dispatch(argv, json);
  } catch (error) {
    report(error, json);
    return 1;
  }
}

async function dispatch(argv: string[], json: boolean): Promise<number> {
  const { name, rest } = splitCommand(argv);
  if (name === undefined || name === 'help') {
    const topic = name === 'help' ? rest[0] : undefined;
    return topic === undefined ? showHelp(json) : dispatch([topic, '--help'], json);
  }
  const entry = findEntry(name, COMMANDS, 'saga');
  const { command } = await entry.load();
  return dispatchTo(name, entry, command, rest, json);
}

/** For a command with subcommands, the next word selects the subcommand. */
async function dispatchTo(
  name: string,
  entry: CommandEntry,
  command: Command<object>,
  argv: string[],
  json: boolean,
): Promise<number> {
  if (command.verbs) {
    const { name: named, rest } = splitCommand(argv);
    const isHelp = argv.includes('--help') || argv.includes('-h');
    const verb = named ?? (isHelp ? undefined : command.usual);
    if (verb === undefined) return showCommandHelp(name, entry, command, json);
    const next = findEntry(verb, command.verbs, `saga ${name}`);
    return dispatchTo(
      `${name} ${verb}`,
      next,
      (await next.load()).command,
      named === undefined ? argv : rest,
      json,
    );
  }
  const parsed = parseArguments(name, command, argv);
  if (parsed.values.help) return showCommandHelp(name, entry, command, json);
  const invocation = createInvocation(parsed, json);
  if (environment.isInRun()) (await import('./refuse-in-run.ts')).refuseInRun(name, invocation);
  if (!mayHaveEngine()) return (await command.run?.(invocation)) ?? 0;
  const { openAround } = await import('./fleet/around-command.ts');
  await using _fleet = await openAround(name, invocation);
  return (await command.run?.(invocation)) ?? 0;
}

/** Options with a value that may stand before the command. */
const VALUE_OPTIONS = ['--project', '--list', '--story'];

/** Options may stand before the command too: `saga --project DIR list`. */
function splitCommand(argv: string[]): { name: string | undefined; rest: string[] } {
  for (let i = 0; i < argv.length; i++) {
    const word = argv[i] ?? '';
    if (VALUE_OPTIONS.includes(word)) i++;
    else if (!word.startsWith('-')) return { name: word, rest: argv.toSpliced(i, 1) };
    else if (!/^(--json|--help|-h|--(project|list|story)=.*)$/.test(word)) {
      throw new SagaError(
        'usage',
        `saga has no option ${word}.`,
        'saga --help lists commands and options.',
      );
    }
  }
  return { name: undefined, rest: [] };
}

function findEntry(name: string, table: readonly CommandEntry[], prefix: string): CommandEntry {
  const entry = table.find((it) => it.name === name);
  if (entry) return entry;
  const near = findNearest(
    name,
    table.filter((it) => !it.hidden).map((it) => it.name),
  );
  throw new SagaError(
    'usage',
    `${prefix} has no command ${JSON.stringify(name)}.`,
    `${near === undefined ? '' : `Did you mean ${prefix} ${near}?  `}${prefix} --help lists all commands.`,
  );
}

function createInvocation({ args, values }: ParsedArguments, json: boolean): Invocation<object> {
  const text = (name: string) => {
    const value = values[name];
    return typeof value === 'string' ? value : undefined;
  };
  const folder = resolve(text('project') ?? environment.workingFolder());
  let paths: Paths | undefined;
  return {
    args,
    flag: (name) => values[name] === true,
    text,
    texts: (name) => {
      const value = values[name];
      return Array.isArray(value) ? value.map(String) : [];
    },
    out: createOutput(json),
    folder,
    paths: () => (paths ??= findPaths(folder, text('project') !== undefined)),
  };
}

/** The project around the folder wins. The variable of a session is used if the folder is in no project. */
function findPaths(folder: string, named: boolean): Paths {
  const fallback = environment.projectFolder();
  if (!named && fallback !== undefined && !lookForProject(folder)) {
    const project = lookForProject(fallback);
    if (project) return openProject(project.root);
  }
  return openProject(findProject(folder).root);
}

const openProject = (root: string) => moveOlderRecords(buildPaths(root));

async function showHelp(json: boolean): Promise<number> {
  const { formatHelp } = await import('./help.ts');
  const out = createOutput(json);
  if (json) out.value({ commands: COMMANDS.map(({ name, summary }) => ({ name, summary })) });
  else out.lines(formatHelp(out.paint));
  return 0;
}

async function showCommandHelp(
  name: string,
  entry: CommandEntry,
  command: Command<object>,
  json: boolean,
): Promise<number> {
  const { formatCommandHelp } = await import('./help.ts');
  const out = createOutput(json);
  const { args = [], options = {}, verbs = [] } = command;
  const { summary } = entry;
  const list = verbs.map((it) => ({ name: it.name, summary: it.summary }));
  if (json) out.value({ name, summary, args, options, verbs: list });
  else out.lines(formatCommandHelp(name, summary, command, out.paint));
  return 0;
}

function report(thrown: unknown, json: boolean): void {
  const error = toSystemError(thrown);
  const known = error instanceof SagaError;
  const code = known ? error.code : 'internal';
  const message = messageOf(error);
  const hint = known
    ? error.hint
    : 'This is a bug in SAGA. Run it again with SAGA_DEBUG=1 to see the stack trace.';
  const problems = known && error.problems.length > 0 ? error.problems : undefined;
  if (json) {
    const body = { code, message, hint, ...(problems ? { problems } : {}) };
    writeAll(1, formatValue({ error: body }));
  } else writeProblems(problems ?? [{ code, message, hint }]);
  if (!known && environment.variables().SAGA_DEBUG && error instanceof Error) {
    writeAll(2, `${error.stack}\n`);
  }
}

function wantsJson(argv: string[]): boolean {
  const end = argv.indexOf('--');
  return (end === -1 ? argv : argv.slice(0, end)).includes('--json');
}
