import type { ConfigTexts } from '@saga-ai/core/plan/config';
import type { Invocation, OptionSpec } from './command.ts';

/** What a worker can be told on the command line; each is a setting for this time only. */
export const WORKER_OPTIONS = {
  'max-cycles': { type: 'text', value: 'N', help: 'headless runs at most (10)' },
  'max-time': { type: 'text', value: 'MINUTES', help: 'minutes it may take (60)' },
  model: { type: 'text', help: 'the model (opus)' },
  'budget-usd': { type: 'text', value: 'USD', help: 'stop when this much is spent' },
  'budget-tokens': { type: 'text', value: 'N', help: 'stop when this many tokens are used' },
  'no-pr': { type: 'boolean', help: 'open no pull request' },
  anyway: { type: 'boolean', help: 'go on although a blocker is open, or others come first' },
} as const satisfies Record<string, OptionSpec>;

const KEYS: Readonly<Record<string, string>> = {
  'max-cycles': 'worker.maxCycles',
  'max-time': 'worker.maxTime',
  model: 'worker.model',
  'budget-usd': 'budget.usd',
  'budget-tokens': 'budget.tokens',
};

export function readWorkerFlags({ text, flag }: Invocation): ConfigTexts {
  const given = Object.entries(KEYS).map(([option, key]) => [key, text(option)]);
  return {
    ...Object.fromEntries(given),
    ...(flag('no-pr') ? { 'pullRequest.mode': 'off' } : {}),
  };
}

/** The same flags again, for the worker that is started in another terminal. */
export function repeatWorkerFlags({ text, flag }: Invocation): string[] {
  return [
    ...Object.keys(KEYS).flatMap((option) => {
      const value = text(option);
      return value === undefined ? [] : [`--${option}=${value}`];
    }),
    ...(flag('no-pr') ? ['--no-pr'] : []),
    ...(flag('anyway') ? ['--anyway'] : []),
  ];
}
