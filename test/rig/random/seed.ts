/**
 * The seed of everything that is random in tests. SAGA_SEED=7 sets another seed, SAGA_SEED=random a new one each time.
 */
export const SEED = readSeed(process.env.SAGA_SEED);

function readSeed(given: string | undefined): number {
  if (given === 'random') return Date.now() % 1_000_000;
  const seed = Number(given || 20_240_229);
  if (!Number.isInteger(seed))
    throw new Error(`SAGA_SEED is ${given}: give a number, or "random".`);
  return seed;
}
