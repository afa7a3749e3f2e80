import { expect, test } from 'vitest';
import { formatProblem } from './output.ts';
import { createPaint, mark } from './style.ts';
import { clean, cleanLine, cut, hang, measure, pad, render, wrap } from './text.ts';

const paint = createPaint(true);

test.each([
  ['plain text stays', 'Add a cart.', 'Add a cart.'],
  ['line breaks and tabs stay', 'a\n\tb', 'a\n\tb'],
  ['an escape sequence loses its escape', '\u001b[31mred', '[31mred'],
  ['the one-character form goes too', '\u009b2Jx', '2Jx'],
  ['a change of direction goes', 'a\u202eb\u2066c', 'abc'],
  ['icons of a font stay', '\uf015 home', '\uf015 home'],
  ['noncharacters go', '\ufdd08\ufdd1', '8'],
])('clean: %s', (_, text, expected) => {
  expect(clean(text)).toBe(expected);
});

test('cleanLine makes one line of several', () => {
  expect(cleanLine('  a\n\tb \u0007 c ')).toBe('a b c');
});

test('our own colours are printed, and a text cannot forge one', () => {
  expect(render(`${paint('done', '✓')} ok`)).toBe('\u001b[32m✓\u001b[39m ok');
  const guesses = [
    '\uf01f',
    '\ufdd08\ufdd1',
    mark(8).replace(/[a-z0-9]{5}/, 'xxxxx'),
    mark(8).slice(1),
  ];
  for (const guess of guesses) expect(render(guess)).not.toContain('\u001b');
});

test.each([
  ['abc', 10, 'abc'],
  ['abcdef', 6, 'abcdef'],
  ['abcdef', 5, 'abcd…'],
  ['abc def', 5, 'abc…'],
  ['abc', 0, ''],
  ['abc', -3, ''],
  ['日本語', 5, '日本…'],
  ['日本語', 4, '日…'],
  ['👩‍👩‍👧‍👦 family', 4, '👩‍👩‍👧‍👦…'],
  ['👩‍👩‍👧‍👦 family', 2, '…'],
])('cut %j to %d', (text, width, expected) => {
  expect(cut(text, width)).toBe(expected);
  expect(measure(cut(text, width))).toBeLessThanOrEqual(Math.max(0, width));
});

test('a cut text ends every colour that it began', () => {
  const text = `${paint('needs-you', 'stopped by the gate')} and more`;
  expect(render(cut(text, 10))).toBe('\u001b[31mstopped b…\u001b[39m');
  expect(render(cut(`a ${paint('done', 'b')} c`, 4))).toBe('a \u001b[32mb\u001b[39m…');
});

test('pad fills up to a width as a terminal counts it', () => {
  expect(pad('日', 4)).toBe('日  ');
  expect(pad(paint('done', 'ab'), 4)).toBe(`${paint('done', 'ab')}  `);
  expect(pad('abcd', 2)).toBe('abcd');
});

test.each([
  ['short', 20, ['short']],
  ['one two three four five', 20, ['one two three four', 'five']],
  ['  indented text that is long', 20, ['  indented text that', '  is long']],
  ['a\n\nb', 20, ['a', '', 'b']],
  ['日本語 日本語 日本語 日本語', 20, ['日本語 日本語 日本語', '日本語']],
  ['width is never below twenty', 3, ['width is never below', 'twenty']],
])('wrap %j', (text, width, expected) => {
  expect(wrap(text, width)).toEqual(expected);
});

test.each<[string, string, number, number | undefined, string[]]>([
  ['! a  ', 'short', 20, undefined, ['! a  short']],
  [
    '! a  ',
    'one two three four five six',
    25,
    undefined,
    ['! a  one two three four', '     five six'],
  ],
  ['! a  ', 'one two three four five six', 25, 2, ['! a  one two three four', '  five six']],
  ['  ', '', 20, undefined, []],
  ['! a  ', '', 20, undefined, ['! a']],
  ['! ', 'word '.repeat(50).trim(), Infinity, undefined, [`! ${'word '.repeat(50).trim()}`]],
])('hang %j %j in %d columns', (head, text, width, indent, lines) => {
  expect(hang(head, text, width, indent)).toEqual(lines);
});

test('a code that does not fit behind its message stands below it', () => {
  const problem = { code: 'usage', message: 'x'.repeat(74), hint: 'Do this.' } as const;
  const plain = (_: unknown, text: string) => text;
  expect(formatProblem(problem, 80, plain, 78).join('\n')).toBe(
    `✗ ${'x'.repeat(74)}\n  [usage]\n  Do this.`,
  );
  // In a pipe there is no edge.
  expect(formatProblem(problem, 80, plain)[0]).toBe(`✗ ${'x'.repeat(74)}  [usage]`);
});
