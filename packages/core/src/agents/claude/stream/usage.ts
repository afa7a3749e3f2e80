import { toFields } from './translate.ts';

/** The tokens of one message, as the API counts them. */
export interface Usage {
  input: number;
  output: number;
  cacheWrite: number;
  cacheRead: number;
}

/** Reads the API's counts. What is no count is 0: one that is not a number would switch every budget off. */
export function readUsage(usage: unknown): Usage {
  const fields = toFields(usage);
  return {
    input: toCount(fields.input_tokens),
    output: toCount(fields.output_tokens),
    cacheWrite: toCount(fields.cache_creation_input_tokens),
    cacheRead: toCount(fields.cache_read_input_tokens),
  };
}

/**
 * The tokens counted against the budget. Includes cached input: with prompt caching, the input without it
 * is almost nothing.
 */
export const countTokens = ({ input, output, cacheWrite, cacheRead }: Usage): number =>
  input + output + cacheWrite + cacheRead;

const toCount = (value: unknown): number =>
  typeof value === 'number' && Number.isFinite(value) && value > 0 ? value : 0;
