import { expect, test } from 'vitest';
import {
  formatFilesTrash,
  formatRehearsalTrash,
  formatRunTrash,
  formatStoryTrash,
  formatUpdateTrash,
  parseTrashRef,
} from './trash-refs.ts';

test.each<[string, object | undefined]>([
  [formatStoryTrash('cart', 17), { kind: 'story', story: 'cart', timestamp: 17 }],
  // Ids may be the words that SAGA uses itself.
  [formatStoryTrash('update', 17), { kind: 'story', story: 'update', timestamp: 17 }],
  [formatUpdateTrash('cart', 17), { kind: 'update', story: 'cart', timestamp: 17 }],
  [formatRehearsalTrash('cart', 17), { kind: 'rehearsal', story: 'cart', timestamp: 17 }],
  [formatFilesTrash('edit', 'cart', 17), { kind: 'edit', story: 'cart', timestamp: 17 }],
  [formatFilesTrash('migrate', 'beads', 17), { kind: 'migrate', story: 'beads', timestamp: 17 }],
  [
    `${formatRunTrash('cart', 'r1')}/heads/a/b`,
    { kind: 'run', story: 'cart', was: 'refs/heads/a/b' },
  ],
  [
    `${formatRunTrash('cart.rehearsal', 'r1')}/tags/v1`,
    { kind: 'run', story: 'cart', was: 'refs/tags/v1' },
  ],
  ['refs/saga/trash/cart/soon', undefined],
  ['refs/saga/trash/Cart!/17', undefined],
  ['refs/saga/left/cart/17', undefined],
])('%s', (ref, expected) => {
  expect(parseTrashRef(ref)).toEqual(expected && { ref, ...expected });
});
