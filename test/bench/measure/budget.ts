import { expect } from 'vitest';

/** Says how long it took, which may be no longer than so many milliseconds. */
export async function expectWithin(ms: number, act: () => unknown): Promise<void> {
  const start = performance.now();
  await act();
  expectFast(performance.now() - start, ms);
}

export function expectFast(took: number, ms: number): void {
  console.info(`${expect.getState().currentTestName}: ${Math.round(took)} ms, at most ${ms} ms`);
  expect(took).toBeLessThan(ms);
}
