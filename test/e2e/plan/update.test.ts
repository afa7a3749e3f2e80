import { expect, test } from 'vitest';
import { runProgram, SAGA } from '../../rig/programs/run-program.ts';
import { buildTask } from '../../rig/project/plan-files.ts';
import { createProject } from '../../rig/project/project.ts';
import { commitAll } from '../../rig/project/repository.ts';
import { expectJson } from '../../rig/screens/expect-json.ts';

test('a plan edited in the main checkout is said by every view, and saga update takes it and the base in', async () => {
  using it = createProject({ remote: null });
  const saga = (...args: string[]) => runProgram(SAGA, args, { cwd: it.root, env: it.env });
  const worktree = `${it.worktrees}/cart`;
  it.story('cart', {}, { one: {} });
  commitAll(it.gitIn, it.root, 'Plan');
  it.git('worktree', 'add', '-q', worktree, '-b', 'story/cart');
  it.write('../project.stories/cart/README.md', '# Of the story\n');
  commitAll(it.gitIn, worktree, 'Work');
  it.write('.saga/stories/cart/story.json', {
    ...{ id: 'cart', title: 'Cart', description: 'Edited.', dependsOn: ['x'] },
  });
  it.write('new.txt', 'new\n');
  commitAll(it.gitIn, it.root, 'Main moved on');

  const words = 'its plan was edited in the main checkout only';
  for (const view of [['status'], ['list'], ['show', 'cart']]) {
    expect((await saga(...view)).stdout, view.join(' ')).toContain(words);
  }
  const { stories } = JSON.parse((await saga('status', '--json')).stdout);
  expect(stories[0]).toMatchObject({ state: 'needs you', behind: 1, next: 'saga update cart' });
  const checked = JSON.parse((await saga('check', '--json')).stdout);
  expect(checked.problems.map((it: { code: string }) => it.code)).toEqual(['two-copies']);
  expect((await saga('run', 'cart')).stderr).toContain(
    'Take the edited plan over: saga update cart',
  );

  const updated = await saga('update', 'cart', '--json');
  expect(updated.code).toBe(0);
  await expectJson('update', updated.stdout);
  expect(JSON.parse(updated.stdout)).toMatchObject({
    plan: { result: 'taken', changes: [{ file: 'story.json', kind: 'changed' }] },
    base: { branch: 'main', result: 'merged', commits: 1 },
  });
  expect((await saga('status')).stdout).toContain('interrupted: started, but no worker is running');
  // The field that nobody knows came along, and is named where it counts now.
  expect((await saga('check')).stderr).toContain('"dependsOn" is not a known field');

  // After the worktree is gone, the copy on the branch counts.
  it.git('worktree', 'remove', worktree);
  it.write('.saga/stories/cart/one.json', buildTask('one', { description: 'Again.' }));
  for (const view of [['status'], ['list'], ['show', 'cart'], ['inbox']]) {
    expect((await saga(...view)).stdout, view.join(' ')).toContain(words);
  }
  const again = await saga('update', 'cart', '--plan-only');
  expect(again.stdout).toContain('plan  taken from the main checkout\n    one.json  description\n');
  expect((await saga('status')).stdout).not.toContain(words);

  it.write('README.md', '# Of main\n');
  commitAll(it.gitIn, it.root, 'Conflict');
  const refused = await saga('update', 'cart');
  expect(refused.code).toBe(3);
  expect(refused.stdout).toContain('! base  not merged: 1 commit of main\n');
  expect(refused.stdout).toContain('      README.md\n');
  expect(refused.stdout).toContain('git -C ../project.stories/cart merge ');
  expect(refused.stdout).toContain('to have a run merge it, which is told so: saga run cart');
  // Told once, however often it is asked.
  await saga('update', 'cart');
  expect(it.gitIn(worktree, 'status', '--porcelain')).toBe('');
  const journal = it.gitIn(worktree, 'show', 'HEAD:.saga/stories/cart/journal.md');
  expect(journal.match(/Feedback: Does not merge with main/g)).toHaveLength(1);
  expect(journal).toContain('story/cart and main change the same places: README.md');
});
