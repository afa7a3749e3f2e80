import { SagaError } from '@saga-ai/core/errors';
import { expect, test } from 'vitest';
import { formatLines, formatProblem, formatProblems, formatValue } from './output.ts';
import { createPaint } from './style.ts';

const paint = (_: string, text: string) => text;
const told = (message: string, hint: string, width: number, room?: number) =>
  formatProblem({ code: 'usage', message, hint }, width, paint, room).join('\n').split('\n');

test('a problem has its code at the right edge and its remedy below', () => {
  expect(told('No.', 'Try again.', 30)).toEqual(['✗ No.                  [usage]', '  Try again.']);
  // However wide the terminal is, the code stays near its message.
  expect(told('No.', 'Try again.', 300)[0]).toHaveLength(80);
});

test('on a narrow terminal the message is wrapped, and the code is never broken', () => {
  const lines = told('This message is too long for it', 'Try this and that again', 24, 22);
  expect(lines).toEqual([
    '✗ This message is too',
    '  long for it  [usage]',
    '  Try this and that',
    '  again',
  ]);
  expect(told('Exactly twenty two col', 'x', 24, 22)).toEqual([
    '✗ Exactly twenty two col',
    '  [usage]',
    '  x',
  ]);
});

test('JSON holds no character that a terminal obeys, and reads as the same value', () => {
  const value = { a: '\u009b2J\u202e\u2066\u007f', b: '\u001b[8m', c: 'ünï ✓' };
  const text = formatValue(value);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there
  expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/);
  expect(JSON.parse(text)).toEqual(value);
  expect(text).toContain('ünï ✓');
});

test('only our own colours reach the terminal', () => {
  const line = `${createPaint(true)('done', 'ok')} \u001b[8mhidden\u001b[0m`;
  expect(formatLines([line])).toBe('\u001b[32mok\u001b[39m [8mhidden[0m\n');
  expect(formatLines([createPaint(false)('done', 'ok')])).toBe('ok\n');
});

test('errors are written with their messages, and what helps against several is said once', () => {
  const errors = ['One.', 'Two.'].map((it) => new SagaError('usage', it, 'Mend it.'));
  expect(formatProblems(errors, 20, paint, Number.POSITIVE_INFINITY)).toEqual([
    ...['✗ One.       [usage]', '✗ Two.       [usage]'],
    '  Mend it.',
  ]);
});
