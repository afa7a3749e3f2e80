import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Id, TaskId } from './id-schema.ts';
import { deriveFreeId, deriveId, isId } from './ids.ts';

test.each(['a', 'cart-api', '2fa-setup', 'a--b', 'x'.repeat(64)])('%s is an id', (id) => {
  expect(isId(id)).toBe(true);
  expect(Id.safeParse(id).success).toBe(true);
});

test.each([
  '',
  '-a',
  'a-',
  'Cart',
  'a/b',
  '..',
  'a.b',
  'a b',
  'ä',
  'x'.repeat(65),
  'a\n',
  42,
  null,
])('%j is not an id', (id) => {
  expect(isId(id)).toBe(false);
  expect(Id.safeParse(id).success).toBe(false);
});

test('no task may be called story, since story.json is the story', () => {
  expect(Id.safeParse('story').success).toBe(true);
  expect(TaskId.safeParse('story').success).toBe(false);
});

test('an id made from a title is an id, or nothing', () => {
  expect(deriveId('Fix the logout button!')).toBe('fix-the-logout-button');
  expect(deriveId('Größe ändern')).toBe('grosse-andern');
  expect(deriveId('Smørrebrød · Æther')).toBe('smorrebrod-aether');
  expect(deriveId('Добавить корзину')).toBe('');
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (title) => {
      const id = deriveId(title);
      expect(id === '' || isId(id)).toBe(true);
    }),
  );
});

test('every title makes an id that is free', () => {
  const taken = new Set(['story', 'story-2', 'cart']);
  const isTaken = (id: string) => taken.has(id);
  expect(deriveFreeId('カートを追加する', 'story', isTaken)).toBe('story-3');
  expect(deriveFreeId('Cart', 'story', isTaken)).toBe('cart-2');
  expect(deriveFreeId('Evidence', 'task', isTaken)).toBe('task');
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (title) => {
      const id = deriveFreeId(title, 'task', isTaken);
      return TaskId.safeParse(id).success && !taken.has(id);
    }),
  );
});
