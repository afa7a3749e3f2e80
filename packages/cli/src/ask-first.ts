import { SagaError } from '@saga-ai/core/errors';
import type { Invocation, OptionSpec } from './command.ts';
import { askYesOrNo, canAsk } from './trust/settle-trust.ts';

export const YES_OPTION = {
  yes: { type: 'boolean', help: 'do it without asking' },
} as const satisfies Record<string, OptionSpec>;

/** Asks at a terminal before something is done. Throws without a terminal unless --yes was given. */
export async function askFirst(
  { out, flag }: Pick<Invocation<object>, 'out' | 'flag'>,
  lines: readonly string[],
  question: string,
): Promise<void> {
  if (flag('yes')) return;
  if (!canAsk(out)) {
    throw new SagaError(
      'usage',
      `${lines.join(' ')} Nothing was done, because nobody can be asked here.`,
      'Say that you want it: add --yes',
    );
  }
  out.lines(lines);
  if (await askYesOrNo(`${question} [y/N] `)) return;
  throw new SagaError('usage', 'You did not agree, so nothing was done.', 'Nothing is left to do.');
}
