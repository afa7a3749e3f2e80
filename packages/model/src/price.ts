/** Dollars per million output tokens, as client 2.1.325 calculates. An unknown model has the price of opus. */
const OUTPUT_PRICES: readonly [model: RegExp, price: number][] = [
  [/fable-5/, 40],
  [/sonnet-5/, 10],
  [/haiku-5/, 0.5],
  [/sonnet-4/, 15],
];
const OPUS_PRICE = 20;

/** Returns the number of output tokens that the client shows as this amount of money. */
export function costToTokens(costUsd: number, model: string): number {
  const price = OUTPUT_PRICES.find(([pattern]) => pattern.test(model))?.[1] ?? OPUS_PRICE;
  return Math.round((costUsd * 1_000_000) / price);
}
