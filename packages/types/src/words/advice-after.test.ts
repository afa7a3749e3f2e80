import { expect, test } from 'vitest';
import { formatAdviceParts } from './advice-after.ts';
import { adviseAfter } from './advise-after.ts';

const advise = (...given: Parameters<typeof adviseAfter>) =>
  adviseAfter(...given).map((it) => formatAdviceParts(it).join(' '));

test('after a failed gate there are three ways on, and a fourth if nothing changed', () => {
  const cause = { kind: 'gate', detail: '' } as const;
  expect(advise({ kind: 'needs-you', cause: { ...cause, checks: ['changed'] } }, 'cart')).toEqual([
    'to see each check: saga verify cart',
    'if it needs no change: say why in the field noChange of each task, then saga gate cart',
    'to mend it by hand: commit in its worktree, then saga gate cart',
    'to have a run mend it: saga feedback cart "…", then saga run cart',
  ]);
  const place = '../shop.stories/cart';
  expect(
    advise({ kind: 'needs-you', cause: { ...cause, checks: ['verify'] } }, 'cart', place)[1],
  ).toBe('to mend it by hand: commit in ../shop.stories/cart, then saga gate cart');
});

test('the hint of an error is said as it is', () => {
  const hint = 'Free some space, then try again: saga run cart';
  expect(advise({ kind: 'error', hint }, 'cart')).toEqual([hint]);
});
