import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Id, TaskId } from './id-schema.ts';
import { deriveId, isId } from './ids.ts';

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
  expect(deriveId('Größe ändern')).toBe('gro-e-andern');
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (title) => {
      const id = deriveId(title);
      expect(id === '' || isId(id)).toBe(true);
    }),
  );
});
