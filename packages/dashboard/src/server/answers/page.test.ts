import { expect, test } from 'vitest';
import { compareKeys, type SortKey, takePage } from './page.ts';

const keyOf = (n: number): SortKey => [n % 3, String(n).padStart(3, '0')];
const numbers = Array.from({ length: 100 }, (_, i) => i).sort((a, b) =>
  compareKeys(keyOf(a), keyOf(b)),
);

test('pages put together are the list', () => {
  const seen: number[] = [];
  for (let cursor: string | undefined; ; ) {
    const page = takePage(numbers, keyOf, { cursor, limit: '7' });
    expect(page.total).toBe(100);
    seen.push(...page.items);
    if (page.cursor === null) break;
    cursor = page.cursor;
  }
  expect(seen).toEqual(numbers);
});

test('the item a cursor stands for may be gone, and others may have come', () => {
  const first = takePage(numbers, keyOf, { limit: '10' });
  const last = first.items.at(-1);
  const later = numbers.filter((n) => n !== last && n !== first.items[0]);
  const next = takePage(later, keyOf, { cursor: first.cursor ?? '', limit: '10' });
  expect(next.items).toEqual(numbers.slice(10, 20));
});

test.each(['', '7', 'bm8', '{"a":1}'])('%j is no cursor', (cursor) => {
  expect(() => takePage(numbers, keyOf, { cursor })).toThrow(
    'The cursor does not belong to this list',
  );
});

test.each(['0', '-1', 'x', '1.5', '1e9', '9999999'])('%j is no limit', (limit) => {
  expect(() => takePage(numbers, keyOf, { limit })).toThrow('limit must be');
});

test('more than two hundred at once are not given', () => {
  const many = Array.from({ length: 500 }, (_, i) => i);
  const page = takePage(many, (n) => [n, ''], { limit: '500' });
  expect(page.items).toHaveLength(200);
  expect(takePage(many, (n) => [n, ''], {}).items).toHaveLength(50);
  expect(takePage([], (n) => [n, ''], {})).toEqual({ items: [], total: 0, cursor: null });
});
