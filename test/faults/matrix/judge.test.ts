import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createTmuxServer } from '../../rig/worker/tmux-server.ts';
import { createWorkshop } from '../../rig/worker/workshop.ts';
import { findHarm, findLeft, listKinds, takeHeld } from './judge.ts';

test('the judge sees what is lost, done twice and left behind', async () => {
  await using it = await createWorkshop();
  using tmux = createTmuxServer();
  it.story('cart', { verify: 'true' }, { one: {} });
  expect(await it.saga(['worker', 'cart'])).toMatchObject({ code: 0 });
  const held = takeHeld(it);
  const usual = listKinds(it);
  expect(held.completed).toEqual(['one']);
  expect(await findHarm(it, held)).toEqual([]);
  expect(await findLeft(it, tmux, usual)).toEqual([]);

  const worktree = join(it.worktrees, 'cart');
  const inside = (...args: string[]) => it.git('-C', worktree, ...args);
  mkdirSync(join(it.paths.locks, 'story-cart'), { recursive: true });
  writeFileSync(join(worktree, 'forgotten.txt'), '');
  it.git('update-ref', 'refs/saga/left/cart/1', 'main');
  expect(await findLeft(it, tmux, usual)).toEqual([
    'refs/saga/left/cart/1',
    'project/.git/saga/runs/locks/story-cart/',
    '?? forgotten.txt',
  ]);

  // The last commit of before is gone, and another one is made twice.
  inside('reset', '-q', '--hard', 'HEAD~1');
  inside('add', 'forgotten.txt');
  inside('commit', '-q', '-m', 'Extra');
  const extra = inside('rev-parse', 'HEAD').trim();
  inside('revert', '--no-edit', extra);
  inside('cherry-pick', extra);
  inside('push', '-q', '--force', 'origin', 'story/cart');
  it.github.pulls.push({ ...it.github.pulls[0], number: 2 } as (typeof it.github.pulls)[number]);
  it.write('README.md', 'changed\n');
  const harm = (await findHarm(it, held)).map((line) => line.split('\n')[0]);
  expect(harm).toEqual([
    expect.stringMatching(/^commit \w+ saga: cart passed its gate$/),
    'twice: commit Extra',
    'pull requests: [["OPEN",false],["OPEN",false]]',
    expect.stringMatching(/^evidence: /),
    'the main checkout as it was',
  ]);
});
