import fc from 'fast-check';
import stringWidth from 'string-width';
import { expect, test } from 'vitest';
import { measureWidth } from './width.ts';

test.each([
  ['', 0],
  ['plain', 5],
  ['✓ ○ ● ◐ … → “quoted” █░', 23],
  ['café', 4],
  ['cafe\u0301', 4],
  ['日本語', 6],
  ['ｆｕｌｌ', 8],
  ['한글', 4],
  ['\u1112\u1161\u11ab\u1100\u1173\u11af', 4],
  ['👍', 2],
  ['👍🏽', 2],
  ['❤️', 2],
  ['❤', 1],
  ['👩‍👩‍👧‍👦', 2],
  ['🏳️‍🌈', 2],
  ['🇨🇭', 2],
  ['1️⃣', 2],
  ['a\u200bb', 2],
  ['\uf015', 1],
])('%j takes %d columns', (text, width) => {
  expect(measureWidth(text)).toBe(width);
  expect(stringWidth(text)).toBe(width);
});

test('string-width counts the same for any single character, alone and as a picture', () => {
  const character = fc
    .integer({ min: 0x20, max: 0x1ffff })
    .filter((it) => it < 0xd800 || it > 0xdfff);
  fc.assert(
    fc.property(character, fc.constantFrom('', '\ufe0f', '\u0301', ' x'), (codePoint, after) => {
      const text = String.fromCodePoint(codePoint) + after;
      // Escape sequences are removed long before a text is measured; parts of Korean letters alone are no text.
      fc.pre(!/[\u009b\u1100-\u11ff\ua960-\ua97f\ud7b0-\ud7ff]/.test(text));
      expect(measureWidth(text), JSON.stringify(text)).toBe(stringWidth(text));
    }),
    { seed: 7, numRuns: 20_000 },
  );
});
