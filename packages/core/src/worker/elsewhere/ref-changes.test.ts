import { expect, test } from 'vitest';
import { compareRefs, decideRef, type RefFate } from './ref-changes.ts';

const facts = {
  own: 'refs/heads/story/cart',
  busy: new Set(['busy']),
  confirmed: new Set(['refs/remotes/origin/main']),
  checkedOut: new Map<string, Set<string> | undefined>([
    ['refs/heads/main', new Set(['made-there'])],
    ['refs/heads/story/other', new Set()],
    ['refs/heads/silent', undefined],
  ]),
};

test.each<[string, string, string | undefined, RefFate]>([
  ['its own branch', 'refs/heads/story/cart', 'x', 'fine'],
  ["SAGA's own refs", 'refs/saga/left/x', 'x', 'fine'],
  ['what SAGA keeps for a person', 'refs/saga/trash/runs/old/1/heads/a', undefined, 'noticed'],
  ['what another worker tidies up', 'refs/saga/trash/runs/busy/1/tip', undefined, 'fine'],
  ['what is known of its tests', 'refs/saga/tests/cart/a', 'x', 'put-back'],
  ["what is known of another story's tests", 'refs/saga/tests/other/a', 'x', 'fine'],
  ['a replacement', 'refs/replace/abc', 'x', 'put-back'],
  ['a tracking ref that the remote shows', 'refs/remotes/origin/main', 'x', 'fine'],
  ['one that it does not', 'refs/remotes/origin/dev', 'x', 'put-back'],
  ['the default of a remote', 'refs/remotes/origin/HEAD', 'ref: refs/x', 'put-back'],
  ['a branch whose worker is at work', 'refs/heads/story/busy', 'x', 'fine'],
  ['an epic whose scheduler is at work', 'refs/heads/epic/busy', 'x', 'fine'],
  ['a commit in the main checkout', 'refs/heads/main', 'made-there', 'noticed'],
  ['a branch moved from outside its checkout', 'refs/heads/main', 'x', 'put-back'],
  ['one that was deleted', 'refs/heads/main', undefined, 'put-back'],
  ["another story's branch", 'refs/heads/story/other', 'x', 'put-back'],
  ['a checkout without notes', 'refs/heads/silent', 'x', 'noticed'],
  ['a branch that nobody works on', 'refs/heads/topic', 'x', 'noticed'],
  ['a tag', 'refs/tags/v1', 'x', 'noticed'],
  ['the stash', 'refs/stash', 'x', 'noticed'],
])('%s', (_, ref, after, fate) => {
  const change = { ref, before: 'b', after };
  expect(decideRef(change, facts)).toBe(fate);
});

test('what another worker keeps is fine', () => {
  expect(decideRef({ ref: 'refs/saga/trash/runs/old/1/heads/a', after: 'x' }, facts)).toBe('fine');
});

test('refs are compared by name', () => {
  const before = new Map([
    ['a', '1'],
    ['b', '1'],
    ['c', '1'],
  ]);
  const after = new Map([
    ['a', '1'],
    ['b', '2'],
    ['d', '1'],
  ]);
  expect(compareRefs(before, after)).toEqual([
    { ref: 'b', before: '1', after: '2' },
    { ref: 'c', before: '1' },
    { ref: 'd', after: '1' },
  ]);
});
