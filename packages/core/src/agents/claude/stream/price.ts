import type { Usage } from './usage.ts';

/** The day on which the prices below were compared with what client 2.1.325 calculates. */
export const PRICES_OF = '2026-11-16';

/** Dollars per million output tokens. */
const OUTPUT_PRICES: readonly [model: RegExp, price: number][] = [
  [/opus/, 20],
  [/fable-5/, 40],
  [/sonnet-5/, 10],
  [/haiku-5/, 0.5],
  [/sonnet-4/, 15],
];
/** The price of a model whose price is unknown. For a budget, too high a price is safer than none. */
const GUESSED_PRICE = 20;

export const isPriceKnown = (model: string): boolean =>
  OUTPUT_PRICES.some(([pattern]) => pattern.test(model));

export function findOutputPrice(model: string): number {
  return OUTPUT_PRICES.find(([pattern]) => pattern.test(model))?.[1] ?? GUESSED_PRICE;
}

/** The price of an input token, as a part of the price of an output token of the same model. */
const INPUT = 1 / 5;
const CACHE_WRITE = INPUT * 1.25;
const CACHE_READ = INPUT * 0.1;

/** Estimates the dollars of a message from its tokens, for a run whose client did not say what it cost. */
export function estimateCost(usage: Usage, model: string): number {
  const { input, output, cacheWrite, cacheRead } = usage;
  const asOutput = output + input * INPUT + cacheWrite * CACHE_WRITE + cacheRead * CACHE_READ;
  return (asOutput * findOutputPrice(model)) / 1_000_000;
}

/** Returns how many characters the model wrote in these parts of a message. */
export function measureWritten(content: unknown): number {
  if (!Array.isArray(content)) return 0;
  return content.reduce<number>((sum, part: Record<string, unknown>) => {
    const { text, thinking, input } = part ?? {};
    return sum + [text, thinking, input].reduce<number>((more, it) => more + lengthOf(it), 0);
  }, 0);
}

function lengthOf(value: unknown): number {
  if (value === undefined || value === null) return 0;
  return typeof value === 'string' ? value.length : JSON.stringify(value).length;
}

const CHARACTERS_PER_TOKEN = 4;

/** Estimates the tokens of a text by its length. Code has more tokens than this, prose has fewer. */
export const toTokens = (characters: number): number =>
  Math.ceil(characters / CHARACTERS_PER_TOKEN);
