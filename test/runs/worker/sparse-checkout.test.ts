import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createWorkshop } from '../../rig/worker/workshop.ts';

test('a story comes through in a sparse checkout that leaves the plan out', async () => {
  await using it = await createWorkshop();
  for (const name of ['a', 'b']) it.write(`${name}/file.txt`, `${name}\n`);
  it.git('add', '-A');
  it.git('commit', '-q', '-m', 'Folders');
  it.git('push', '-q', 'origin', 'main');
  // The scripted model writes into this folder, and its own `git add` knows no --sparse.
  it.git('sparse-checkout', 'set', '--cone', 'a', 'rehearsed');
  it.story('cart', {}, { one: {} });
  expect(await it.saga(['worker', 'cart'])).toMatchObject({ code: 0, stderr: '' });
  const committed = it.git('ls-tree', '-r', '--name-only', 'story/cart').split('\n');
  expect(committed).toContain('.saga/stories/cart/evidence.json');
  expect(committed).toContain('b/file.txt');
  expect(existsSync(join(it.worktrees, 'cart/b'))).toBe(false);
});
