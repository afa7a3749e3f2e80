import type { RunSetting } from '@saga-ai/core/fleet/agent/require-sound';
import type { Invocation, OptionSpec } from './command.ts';
import { TRUST_OPTION } from './trust/settle-trust.ts';

/** Options of a worker. Each overrides a setting for this one worker. */
export const WORKER_OPTIONS = {
  'max-cycles': { type: 'text', value: 'N', help: 'at most N headless runs (10)' },
  'max-time': { type: 'text', value: 'MINUTES', help: 'stop after this many minutes (60)' },
  model: { type: 'text', help: 'the model to use (opus)' },
  'budget-usd': {
    type: 'text',
    value: 'USD',
    help: 'stop when the story has cost this many dollars',
  },
  'budget-tokens': {
    type: 'text',
    value: 'N',
    help: 'stop when the story has used this many tokens',
  },
  'no-pr': { type: 'boolean', help: 'do not open a pull request' },
  follow: {
    type: 'boolean',
    help: 'after the gate, watch the pull request and work on what it asks for',
  },
  anyway: {
    type: 'boolean',
    help: 'start despite an open blocker, unmet dependencies or an edited plan',
  },
  ...TRUST_OPTION,
} as const satisfies Record<string, OptionSpec>;

/** The settings that options with a value override. A machine of a fleet refuses any that `RunSetting` lacks. */
const KEYS: Readonly<Record<string, RunSetting>> = {
  'max-cycles': 'worker.maxCycles',
  'max-time': 'worker.maxTime',
  model: 'worker.model',
  'budget-usd': 'budget.usd',
  'budget-tokens': 'budget.tokens',
};

type Given = Pick<Invocation, 'text' | 'flag'>;
type Flags = Readonly<Partial<Record<RunSetting, string | undefined>>>;

export function readWorkerFlags({ text, flag }: Given): Flags {
  const given = Object.entries(KEYS).map(([option, key]) => [key, text(option)]);
  return {
    ...Object.fromEntries(given),
    ...(flag('no-pr') ? { 'pullRequest.mode': 'off' } : {}),
    ...(flag('follow') ? { 'pullRequest.follow': 'true' } : {}),
  };
}

/** Repeats the flags on the command line of the worker that is started in tmux. */
export function repeatWorkerFlags({ text, flag }: Invocation): string[] {
  return [
    ...Object.keys(KEYS).flatMap((option) => {
      const value = text(option);
      return value === undefined ? [] : [`--${option}=${value}`];
    }),
    ...(flag('no-pr') ? ['--no-pr'] : []),
    ...(flag('follow') ? ['--follow'] : []),
    ...(flag('anyway') ? ['--anyway'] : []),
  ];
}
