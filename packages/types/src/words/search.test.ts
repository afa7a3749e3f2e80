import { expect, test } from 'vitest';
import { filterByWords, findFirstHit, searchItems, splitWords } from './search.ts';

const TITLES = ['Cart model', 'Cart API', 'Shopping cart page', 'Checkout', 'Receipts by mail'];
const lower = (text: string) => text.toLowerCase();

test.each<[string, string[]]>([
  ['', TITLES],
  ['cart', ['Cart model', 'Cart API', 'Shopping cart page']],
  ['CART  api', ['Cart API']],
  ['art', ['Cart model', 'Cart API', 'Shopping cart page']],
  ['page cart', ['Shopping cart page']],
  // A typo, a swap of neighbours, a letter too few.
  ['chekout', ['Checkout']],
  ['recipets', ['Receipts by mail']],
  ['crat model', ['Cart model']],
  // What fits as it is typed is not joined by what is only near.
  ['mail', ['Receipts by mail']],
  ['api1', ['Cart API']],
  ['xyz', []],
])('%j finds %j', (query, expected) => {
  expect(filterByWords(TITLES, splitWords(query), lower)).toEqual(expected);
});

const search = (query: string) =>
  searchItems(
    [
      { id: 'cart-model', text: 'how a cart is kept' },
      { id: 'pay', text: 'the cart is paid' },
      { id: 'carting', text: 'something else' },
      { id: 'mail', text: 'a receipt is sent' },
    ],
    query,
    ({ id, text }) => [
      { text: id, weight: 3 },
      { text, weight: 1 },
    ],
  ).map(({ item }) => item.id);

test.each<[string, string[]]>([
  // A whole word in the id, then the beginning of one, then the text.
  ['cart', ['cart-model', 'carting', 'pay']],
  ['cart paid', ['pay']],
  ['reciept', ['mail']],
  // Nothing has both, so each that has one.
  ['paid kept', ['cart-model', 'pay']],
  ['', []],
  ['zzz', []],
])('the best of %j first', (query, expected) => {
  const found = search(query);
  expect(query === 'paid kept' ? found.toSorted() : found).toEqual(expected);
});

test('the first hit is found with its typo', () => {
  expect(findFirstHit('a receipt is sent', ['sent', 'is'])).toBe(10);
  expect(findFirstHit('a receipt is sent', ['reciept'])).toBe(2);
  expect(findFirstHit('a receipt is sent', ['zzzz'])).toBe(-1);
});
