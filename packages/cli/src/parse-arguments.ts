import { parseArgs } from 'node:util';
import { errorCodeOf, SagaError } from '@saga-ai/core/errors';
import { findNearest } from '@saga-ai/types/words/nearest';
import type { CommandSpec, OptionSpec } from './command.ts';

export const GLOBAL_OPTIONS = {
  json: { type: 'boolean', help: 'print JSON' },
  project: {
    type: 'text',
    value: 'DIR',
    help: 'the project folder (default: this folder and above)',
  },
  help: { type: 'boolean', short: 'h', help: 'show this help' },
} as const satisfies Record<string, OptionSpec>;

export interface ParsedArguments {
  args: string[];
  values: Readonly<Record<string, string | boolean | (string | boolean)[] | undefined>>;
}

export function parseArguments(
  name: string,
  command: CommandSpec,
  argv: string[],
): ParsedArguments {
  const options: Record<string, OptionSpec> = { ...GLOBAL_OPTIONS, ...command.options };
  const parsed = readArgv(name, options, argv);
  for (const [option, { choices }] of Object.entries(options)) {
    const value = parsed.values[option];
    if (choices && typeof value === 'string' && !choices.includes(value)) {
      throw usage(
        name,
        `--${option} must be one of ${choices.join(', ')} (found ${JSON.stringify(value)}).`,
      );
    }
  }
  if (!parsed.values.help) requireArguments(name, command, parsed.args);
  return parsed;
}

function readArgv(
  name: string,
  options: Record<string, OptionSpec>,
  argv: string[],
): ParsedArguments {
  try {
    const { values, positionals } = parseArgs({
      args: argv,
      allowPositionals: true,
      options: Object.fromEntries(
        Object.entries(options).map(([key, { type, short }]) => [
          key,
          {
            type: type === 'boolean' ? 'boolean' : 'string',
            multiple: type === 'texts',
            ...(short ? { short } : {}),
          },
        ]),
      ),
    });
    return { args: positionals, values };
  } catch (error) {
    throw describeParseError(name, options, argv, error);
  }
}

function describeParseError(
  name: string,
  options: Record<string, OptionSpec>,
  argv: readonly string[],
  error: unknown,
): unknown {
  if (!(error instanceof TypeError)) return error;
  if (errorCodeOf(error) === 'ERR_PARSE_ARGS_INVALID_OPTION_VALUE') {
    return describeWrongValue(name, options, argv, error);
  }
  const unknown = /^Unknown option '(-{1,2})([^'=]+)/.exec(error.message);
  if (!unknown) return usage(name, error.message.replace(/\. To specify.*$/s, '.'));
  const near = findNear(unknown[2] ?? '', Object.keys(options)).map((it) => `--${it}`);
  return usage(
    name,
    `saga ${name} has no option ${unknown[1]}${unknown[2]}.`,
    near.length === 0 ? '' : `Did you mean ${near.join(' or ')}?  `,
  );
}

/** The options that have the word as a part, such as `budget` or `usd`, else the one that is spelled most alike. */
function findNear(word: string, options: readonly string[]): string[] {
  const longer = options.filter((it) => it.split('-').includes(word));
  const nearest = findNearest(word, options);
  if (longer.length > 0 || nearest === undefined) return longer;
  return [nearest];
}

/** Node names the option only in its message, so the name is read from there and the text replaced. */
function describeWrongValue(
  name: string,
  options: Record<string, OptionSpec>,
  argv: readonly string[],
  { message }: TypeError,
): SagaError {
  const option = /--([\w-]+)/.exec(message)?.[1] ?? '';
  const spec = options[option];
  if (spec?.type === 'boolean') return usage(name, `--${option} takes no value.`);
  const isNamed = (word: string) => word === `--${option}` || word === `-${spec?.short}`;
  const next = argv[argv.findIndex(isNamed) + 1];
  return usage(
    name,
    `--${option} needs a value.`,
    next?.startsWith('-')
      ? `If ${next} is the value, write --${option}=${next}  `
      : `Write --${option} ${spec?.choices?.join('|') ?? spec?.value ?? 'TEXT'}  `,
  );
}

function requireArguments(name: string, { args = [] }: CommandSpec, given: string[]): void {
  const missing = args.slice(given.length).find((arg) => arg.required);
  if (missing) throw usage(name, `saga ${name} needs <${missing.name}>: ${missing.help}.`);
  if (!args.at(-1)?.rest && given.length > args.length) {
    throw usage(name, `saga ${name} does not take ${JSON.stringify(given[args.length])}.`);
  }
}

function usage(name: string, message: string, lead = ''): SagaError {
  return new SagaError('usage', message, `${lead}saga ${name} --help shows the usage.`);
}
