import type { Advice } from '@saga-ai/types/plan/advice';
import type { Problem } from '@saga-ai/types/words/problem';
import { toError } from '../files/json-file.ts';
import { startLifeline } from '../processes/lifeline.ts';
import { openShaper, type ShaperSetup } from './ask-shaper.ts';
import { buildRetryPrompt } from './shaper-prompt.ts';

/** The result of checking an answer. `value` is undefined if the answer is not valid. */
export interface Judged<T> {
  value?: T;
  problems: readonly Problem[];
  advice: readonly Advice[];
}

/** A valid answer, and how the conversation went. */
export interface Agreed<T> {
  value: T;
  advice: Advice[];
  rounds: number;
  costUsd: number;
}

export interface Question<T> {
  prompt: string;
  /** The JSON Schema of the answer. */
  schema: object;
  /** The folder that the Shaper reads. */
  folder: string;
  judge(answer: unknown): Promise<Judged<T>>;
}

/** How often the Shaper may correct its first answer. */
const MOST_CORRECTIONS = 3;

/**
 * Asks a Shaper until its answer is valid. The problems of an answer are the next message of the same conversation.
 * Throws the last problems if no answer was valid.
 */
export async function converse<T>(
  setup: ShaperSetup,
  { prompt, schema, folder, judge }: Question<T>,
): Promise<Agreed<T>> {
  using lifeline = startLifeline(setup.paths.repository, 'saga-plan');
  const ask = await openShaper(setup, schema, folder, lifeline);
  let next = prompt;
  for (let round = 0; ; round++) {
    const { value: answer, costUsd } = await ask(next);
    const { value, problems, advice } = await judge(answer);
    const isLast = round === MOST_CORRECTIONS || costUsd >= setup.maxUsd;
    // Advice leads to one more round, but not to a second one, because a plan can be right in spite of it.
    if (value !== undefined && (advice.length === 0 || round > 0 || isLast)) {
      return { value, advice: [...advice], rounds: round + 1, costUsd };
    }
    if (isLast) throw toError([...problems]);
    setup.onStep(`corrects its answer (${problems.length + advice.length})`);
    next = buildRetryPrompt(problems, advice);
  }
}
