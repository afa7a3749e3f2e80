import type { EpicOptions } from '@saga-ai/core/epic/context';
import { type EpicItem, findDownstream } from '@saga-ai/core/epic/layout';
import { SagaError } from '@saga-ai/core/errors';
import type { Config } from '@saga-ai/types/config';
import type { Invocation, OptionSpec } from './command.ts';
import { environment, type Machine } from './environment.ts';

/** Options that only concern an epic. */
export const EPIC_OPTIONS = {
  jobs: {
    type: 'text',
    value: 'N',
    help: 'for an epic: work on N stories at the same time (2); auto: what this machine can take',
  },
  'fail-fast': { type: 'boolean', help: 'for an epic: stop all if one story needs a person' },
  only: { type: 'texts', value: 'STORY', help: 'for an epic: start only these stories' },
  from: {
    type: 'text',
    value: 'STORY',
    help: 'for an epic: start this story and those that wait for it',
  },
  'no-wait': { type: 'boolean', help: 'for an epic: end when only a person can help' },
} as const satisfies Record<string, OptionSpec>;

/** For an epic, these options limit the time and the cost of the whole epic, not of one story. */
const OF_ALL = ['max-time', 'budget-usd', 'budget-tokens'] as const;

export function readJobs({ text }: Pick<Invocation, 'text'>): number | undefined {
  if (text('jobs') === 'auto') return chooseJobs(environment.machine());
  return readNumber('jobs', text('jobs'), (it) => Number.isInteger(it) && it >= 1);
}

export function readEpicOptions(
  { text, texts, flag }: Pick<Invocation, 'text' | 'texts' | 'flag'>,
  config: Config,
  items: readonly EpicItem[],
): EpicOptions {
  const chosen = chooseStories(texts('only'), text('from'), items);
  const [budgetUsd, budgetTokens] = (['budget-usd', 'budget-tokens'] as const).map((option) =>
    readNumber(option, text(option), (it) => it > 0),
  );
  const model = text('model');
  const cycles = text('max-cycles');
  return {
    jobs: readJobs({ text }) ?? config.epic.jobs,
    failFast: flag('fail-fast') || config.epic.failFast,
    noWait: flag('no-wait'),
    chosen,
    budgetUsd,
    budgetTokens,
    flags: {
      ...(model === undefined ? {} : { 'worker.model': model }),
      ...(cycles === undefined ? {} : { 'worker.maxCycles': cycles }),
      ...(flag('no-pr') ? { 'pullRequest.mode': 'off' } : {}),
      // The scheduler waits for the end of each worker.
      'pullRequest.follow': 'false',
    },
  };
}

/** The memory that one client and its tests may use, in bytes. */
const MEMORY_OF_A_JOB = 1.5 * 2 ** 30;

/** Returns one job for each idle processor, but no more than the free memory allows, and at least one. */
export function chooseJobs({ processors, load, freeMemory }: Machine): number {
  const idle = Math.max(1, processors - Math.floor(load));
  return Math.max(1, Math.min(idle, Math.floor(freeMemory / MEMORY_OF_A_JOB)));
}

/** Minutes for the whole epic; undefined: no limit. */
export const readMaxTime = ({ text }: Pick<Invocation, 'text'>): number | undefined =>
  readNumber('max-time', text('max-time'), (it) => it > 0);

/** Repeats the options on the command line of the scheduler that is started in tmux. */
export function repeatEpicOptions({
  text,
  texts,
  flag,
}: Pick<Invocation, 'text' | 'texts' | 'flag'>): string[] {
  const given = ['jobs', 'from', 'model', 'max-cycles', ...OF_ALL].flatMap((option) => {
    const value = text(option);
    return value === undefined ? [] : [`--${option}=${value}`];
  });
  const switches = ['fail-fast', 'no-wait', 'no-pr', 'anyway'].filter((it) => flag(it));
  return [
    ...given,
    ...texts('only').map((it) => `--only=${it}`),
    ...switches.map((it) => `--${it}`),
  ];
}

function chooseStories(
  only: readonly string[],
  from: string | undefined,
  items: readonly EpicItem[],
): Set<string> | undefined {
  const named = only.flatMap((it) => it.split(',')).filter(Boolean);
  if (named.length === 0 && from === undefined) return undefined;
  const known = new Set(items.map((it) => it.id));
  for (const id of [...named, ...(from === undefined ? [] : [from])]) {
    if (known.has(id)) continue;
    throw new SagaError(
      'usage',
      `${id} is not a part of this epic.`,
      'List its stories: saga tree',
    );
  }
  const below = from === undefined ? [] : findDownstream(from, items);
  const inside = named.flatMap((id) => [
    id,
    ...items.filter((it) => it.epic === id).map((it) => it.id),
  ]);
  return new Set([...inside, ...below]);
}

function readNumber(
  option: string,
  given: string | undefined,
  isFine: (value: number) => boolean,
): number | undefined {
  if (given === undefined) return undefined;
  const value = Number(given);
  if (given.trim() !== '' && isFine(value)) return value;
  throw new SagaError(
    'usage',
    `--${option} is ${given}, but must be a number above zero.`,
    `Such as: --${option} 2`,
  );
}
