import type { ArgumentSpec, CommandSpec, OptionSpec } from './command.ts';
import { COMMANDS } from './command-table.ts';
import type { Paint } from './output/style.ts';
import { pad, wrap } from './output/text.ts';
import { GLOBAL_OPTIONS } from './parse-arguments.ts';

/** The width of help, which must fit into a narrow terminal and into documents. */
const HELP_WIDTH = 79;

/** The option `--version`. main.ts answers it before it loads other modules. */
const VERSION_OPTION: Record<string, OptionSpec> = {
  version: { type: 'boolean', short: 'v', help: 'print the version' },
};

export function formatHelp(paint: Paint): string[] {
  const groups = Map.groupBy(
    COMMANDS.filter((entry) => !entry.hidden),
    (entry) => entry.group ?? '',
  );
  return [
    'SAGA runs Claude Code through planned work, unattended and verifiably.',
    '',
    'Usage: saga <command> [options]',
    ...[...groups].flatMap(([group, entries]) => [
      '',
      paint('strong', group),
      ...entries.map(({ name, summary }) => `  ${pad(name, 12)} ${summary}`),
    ]),
    '',
    paint('strong', 'Everywhere'),
    ...formatOptions({ ...GLOBAL_OPTIONS, ...VERSION_OPTION }),
    '',
    'saga <command> --help describes a command. To begin: saga init, saga create.',
  ];
}

export function formatCommandHelp(
  name: string,
  summary: string,
  command: CommandSpec,
  paint: Paint,
): string[] {
  const { args = [], options = {}, verbs = [], about, examples = [] } = command;
  const usage = verbs.length > 0 ? `saga ${name} <command> [options]` : formatUsage(name, command);
  return [
    `saga ${name}: ${summary}`,
    '',
    `Usage: ${usage}`,
    ...(about ? formatAbout(about) : []),
    ...(args.length > 0
      ? ['', ...args.flatMap((arg) => formatRow(formatArgument(arg), arg.help))]
      : []),
    ...(verbs.length > 0 ? ['', ...verbs.map((it) => `  ${pad(it.name, 12)} ${it.summary}`)] : []),
    '',
    paint('strong', 'Options'),
    ...formatOptions({ ...options, ...GLOBAL_OPTIONS }),
    ...(examples.length > 0
      ? ['', paint('strong', 'Examples'), ...examples.map((it) => `  ${it}`)]
      : []),
  ];
}

/** Paragraphs are wrapped. Lines that are indented stay as they are: they are a table. */
function formatAbout(about: string): string[] {
  return about
    .trim()
    .split(/\n\s*\n/)
    .flatMap((paragraph) => {
      if (paragraph.startsWith('  ')) return ['', ...paragraph.split('\n')];
      return ['', ...wrap(paragraph.replace(/\s*\n\s*/g, ' '), HELP_WIDTH)];
    });
}

function formatUsage(name: string, { args = [] }: CommandSpec): string {
  return ['saga', name, ...args.map(formatArgument), '[options]'].join(' ');
}

function formatArgument({ name, required, rest }: ArgumentSpec): string {
  const label = rest ? `${name}…` : name;
  return required ? `<${label}>` : `[${label}]`;
}

function formatOptions(options: Readonly<Record<string, OptionSpec>>): string[] {
  return Object.entries(options).flatMap(([name, option]) => {
    const value =
      option.type === 'boolean' ? '' : ` ${option.choices?.join('|') ?? option.value ?? 'TEXT'}`;
    const short = option.short ? `-${option.short}, ` : '';
    return formatRow(`${short}--${name}${value}`, option.help);
  });
}

const LABEL_WIDTH = 22;

/** A label and its meaning beside it, wrapped below itself. A long label stands on a line of its own. */
function formatRow(label: string, help: string): string[] {
  const isLong = label.length > LABEL_WIDTH;
  const indent = `  ${pad('', LABEL_WIDTH)} `;
  const [first = '', ...more] = wrap(help, HELP_WIDTH - indent.length);
  return [
    ...(isLong ? [`  ${label}`, `${indent}${first}`] : [`  ${pad(label, LABEL_WIDTH)} ${first}`]),
    ...more.map((line) => `${indent}${line}`),
  ];
}
