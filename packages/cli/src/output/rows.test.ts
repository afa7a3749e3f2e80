import { expect, test } from 'vitest';
import { type Cell, formatRows } from './rows.ts';
import { createPaint } from './style.ts';
import { measure, render } from './text.ts';

const plain = createPaint(false);

test.each<[string, number, Cell[][], string[]]>([
  ['no rows', 80, [], []],
  [
    'columns line up, and a glyph stands next to what it is about',
    80,
    [
      [{ text: '✓' }, { text: 'cart' }, { text: '1/3' }],
      [{ text: '○' }, { text: 'checkout' }, { text: '10/12' }],
    ],
    ['✓ cart      1/3', '○ checkout  10/12'],
  ],
  [
    'an empty cell leaves no spaces at the end',
    80,
    [
      [{ text: 'a' }, { text: '' }],
      [{ text: 'b' }, { text: 'more' }],
    ],
    ['a', 'b more'],
  ],
  [
    'wide characters count twice',
    80,
    [
      [{ text: '日本' }, { text: 'x' }],
      [{ text: 'ab' }, { text: 'y' }],
    ],
    ['日本  x', 'ab    y'],
  ],
  [
    'what is flexible gives way',
    20,
    [[{ text: 'cart-api' }, { text: 'A title that is too long', flexible: true }]],
    ['cart-api  A title t…'],
  ],
  [
    'two flexible columns share; what one does not need the other takes',
    30,
    [
      [
        { text: 'short title', flexible: true },
        { text: 'waits for a, b, c and d', flexible: true },
      ],
    ],
    ['short title  waits for a, b,…'],
  ],
  [
    'a long id gives way to what is flexible',
    50,
    [
      [
        { text: 'an-id-of-thirty-three-characters-', isId: true },
        { text: '1/3' },
        { text: 'waits for a, b, c and d', flexible: true },
      ],
      [{ text: 'pay', isId: true }, { text: '0/1' }, { text: 'in review', flexible: true }],
    ],
    ['an-id-of-thirty-thr…  1/3  waits for a, b, c and d', 'pay                   0/1  in review'],
  ],
  [
    'an id is whole if flexible texts leave room for it',
    50,
    [
      [
        { text: 'an-id-of-thirty-three-characters-', isId: true },
        { text: 'in review', flexible: true },
      ],
    ],
    ['an-id-of-thirty-three-characters-  in review'],
  ],
  [
    'a cell may keep its end',
    30,
    [
      [
        { text: 'a-story-with-a-long-id', isId: true },
        { text: 'a-story-with-a-long-id/17', isId: true, keepsEnd: true },
      ],
    ],
    ['a-story-with-…  …-a-long-id/17'],
  ],
  ['a text of several lines becomes one', 80, [[{ text: 'a\n  b' }]], ['a b']],
])('%s', (_, width, rows, expected) => {
  const lines = formatRows(rows, { width, paint: plain });
  expect(lines).toEqual(expected);
  for (const line of lines) expect(measure(line)).toBeLessThanOrEqual(width);
});

test('rows are indented within the width, and tones are painted', () => {
  const rows: Cell[][] = [
    [
      { text: '!', tone: 'needs-you' },
      { text: 'abcdefghijkl', flexible: true },
    ],
  ];
  const lines = formatRows(rows, { width: 14, paint: createPaint(true), indent: '  ' });
  expect(lines.map(render)).toEqual(['  \u001b[31m!\u001b[39m abcdefghi…']);
});
