import fc from 'fast-check';
import { expect, test } from 'vitest';
import { countEdits, findNearest } from './nearest.ts';

test('a mistyped word finds the one that was meant', () => {
  const known = ['checkout-form', 'cart-api', 'receipts'];
  expect(findNearest('chekout-form', known)).toBe('checkout-form');
  expect(findNearest('cart-aip', known)).toBe('cart-api');
  expect(findNearest('RECEIPTS', known)).toBe('receipts');
  expect(findNearest('payment', known)).toBeUndefined();
});

test('edits are counted like a distance', () => {
  expect(countEdits('', 'abc')).toBe(3);
  expect(countEdits('ab', 'ba')).toBe(1);
  const word = fc.string({ maxLength: 12 });
  fc.assert(
    fc.property(word, word, (a, b) => {
      expect(countEdits(a, b)).toBe(countEdits(b, a));
      expect(countEdits(a, b) === 0).toBe(a === b);
      expect(countEdits(a, b)).toBeLessThanOrEqual(Math.max(a.length, b.length));
    }),
  );
});
