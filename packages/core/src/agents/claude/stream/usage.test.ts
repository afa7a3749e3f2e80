import { expect, test } from 'vitest';
import { countTokens, readUsage } from './usage.ts';

test('all kinds of tokens count', () => {
  const usage = {
    input_tokens: 1,
    output_tokens: 20,
    cache_creation_input_tokens: 300,
    cache_read_input_tokens: 4000,
  };
  expect(countTokens(readUsage(usage))).toBe(4321);
  expect(countTokens(readUsage(undefined))).toBe(0);
});

test.each([['12'], [-5], [null], [Number.NaN], [{}]])(
  '%j is no count of tokens, and the others still count',
  (odd) => {
    const usage = { input_tokens: odd, output_tokens: 20 };
    expect(countTokens(readUsage(usage))).toBe(20);
  },
);
