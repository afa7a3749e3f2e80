import { existsSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runCommand, runProgram, SAGA } from '../../rig/programs/run-program.ts';
import { createCheckedStory } from '../../rig/project/checked-story.ts';
import { createMergedEpic } from '../../rig/project/merged-epic.ts';
import { createProject } from '../../rig/project/project.ts';
import { commitAll } from '../../rig/project/repository.ts';
import { expectJson } from '../../rig/screens/expect-json.ts';

const trash = (list: string) => list.split('\n').filter(Boolean);

test('a checked story is merged and pushed, its worktree tidied, and its dependents are ready', async () => {
  using it = createProject();
  it.epic('shop', { cart: [], pay: ['cart'] });
  it.story('pay', {}, { one: {} });
  it.write('.saga/config.json', { gate: { verify: 'test -f cart.txt && test ! -f broken' } });
  const { saga, worktree } = await createCheckedStory(it, 'cart');
  const tip = it.git('rev-parse', 'story/cart').trim();
  // main moved on, so the merged files are not those that the gate checked.
  it.write('other.txt', 'other\n');
  commitAll(it.gitIn, it.root, 'Other');
  it.git('push', '-q', 'origin', 'main');
  // What the person has not committed stays as it is.
  it.write('README.md', '# Draft\n');

  const asked = await saga('land', 'cart');
  expect(asked.code).toBe(1);
  expect(asked.stderr).toContain('saga land cart --yes');
  expect(it.git('rev-parse', 'story/cart').trim()).toBe(tip);

  const landed = await saga('land', 'cart', '--yes', '--json');
  expect(landed.stderr).toBe('');
  await expectJson('land', landed.stdout);
  const json = JSON.parse(landed.stdout);
  expect(json).toMatchObject({
    result: 'landed',
    by: 'merge',
    base: 'main',
    verified: 'verify',
    checkout: 'forwarded',
    removedWorktrees: [worktree],
  });
  expect(it.gitIn(it.origin, 'rev-parse', 'main').trim()).toBe(json.commit);
  expect(it.git('rev-parse', 'main').trim()).toBe(json.commit);
  expect(it.git('rev-list', '--parents', '-1', 'main').trim().split(' ')).toContain(tip);
  expect(it.read('cart.txt')).toBe('cart\n');
  expect(it.read('README.md')).toBe('# Draft\n');
  expect(existsSync(worktree)).toBe(false);
  expect(it.git('branch', '--list', 'story/cart')).toBe('');
  expect(json.kept.map((ref: string) => it.git('rev-parse', `${ref}^1`).trim())).toEqual([tip]);
  expect((await saga('trash', 'list')).stdout).toContain('cart');
  const { stories } = JSON.parse((await saga('status', '--json')).stdout);
  const states = stories.map((story: { id: string; state: string }) => [story.id, story.state]);
  expect(Object.fromEntries(states)).toEqual({ cart: 'done', pay: 'ready' });
  const again = await saga('land', 'cart', '--yes');
  expect(again).toMatchObject({ code: 0, stdout: expect.stringContaining('was merged before') });
  expect(it.gitIn(it.origin, 'rev-parse', 'main').trim()).toBe(json.commit);
});

test('without a remote: a conflict, a failed verify and changes in the way leave everything as it was', async () => {
  using it = createProject({ remote: null });
  it.write('.saga/config.json', { gate: { verify: 'test ! -f broken' } });
  const { saga, worktree, gate } = await createCheckedStory(it, 'cart', {
    'README.md': '# Cart\n',
  });
  const refuse = async (words: string) => {
    const before = it.git('for-each-ref', 'refs/heads');
    const { code, stderr } = await saga('land', 'cart', '--yes');
    expect(stderr).toContain(words);
    expect(code).toBe(1);
    expect(it.git('for-each-ref', 'refs/heads')).toBe(before);
    expect(existsSync(worktree)).toBe(true);
    expect(it.git('worktree', 'list').trim().split('\n')).toHaveLength(2);
  };
  it.write('README.md', '# Draft\n');
  await refuse('has changes that nobody committed, and the merge would touch them');
  expect(it.read('README.md')).toBe('# Draft\n');
  commitAll(it.gitIn, it.root, 'Conflict');
  await refuse('story/cart and main change the same places: README.md');
  it.git('reset', '-q', '--hard', 'HEAD~');
  it.write('broken', 'broken\n');
  commitAll(it.gitIn, it.root, 'Broken');
  await refuse('merged, it does not verify');
  it.git('reset', '-q', '--hard', 'HEAD~');

  // Evidence that is stale, and then that of another commit.
  it.write('../project.stories/cart/late.txt', 'late\n');
  commitAll(it.gitIn, worktree, 'Late');
  await refuse('not in review (interrupted: changed since its gate passed');
  await gate();
  it.git('branch', '-f', 'keep', 'story/cart');
  expect((await saga('land', 'cart', '--yes')).code).toBe(0);
  expect(it.read('late.txt')).toBe('late\n');
});

test('without evidence nothing is merged', async () => {
  using it = createProject({ remote: null });
  const { saga, worktree } = await createCheckedStory(it, 'cart');
  it.gitIn(worktree, 'rm', '-q', '.saga/stories/cart/evidence.json');
  it.gitIn(worktree, 'commit', '-q', '-m', 'No evidence');
  const before = it.git('rev-parse', 'main');
  const { code, stderr } = await saga('land', 'cart', '--yes');
  expect(stderr).toContain('cart was not merged: it is not in review');
  expect(stderr).toMatch(/saga (gate|run) cart/);
  expect(code).toBe(1);
  expect(it.git('rev-parse', 'main')).toBe(before);
});

test('at a terminal the person is asked, and a no merges nothing', async () => {
  using it = createProject({ remote: null });
  await createCheckedStory(it, 'cart');
  const args = ['-qec', `${process.execPath} ${SAGA} land cart`, '/dev/null'];
  const ask = (input: string) =>
    runCommand('script', args, {
      cwd: it.root,
      env: { ...it.env, TERM: 'dumb', NO_COLOR: '1' },
      input,
    });
  const refused = await ask('n\n');
  expect(refused.stdout).toContain('story/cart → main, on this machine');
  expect(refused.stdout).toContain('no verify command tested it');
  expect(refused.stdout).toContain('cart was not merged.');
  expect(refused.code).toBe(2);
  expect(it.git('branch', '--list', 'story/cart')).not.toBe('');
  expect((await ask('y\n')).stdout).toContain('merged into main');
  expect(trash(it.git('for-each-ref', '--format=%(refname)', 'refs/saga/trash'))).toHaveLength(1);
});

test('an epic is merged when all its stories are in its branch; they are tidied with it', async () => {
  using it = createProject();
  it.epic('shop', { cart: [], pay: [] });
  it.write('.saga/config.json', { gate: { verify: 'test ! -f broken' } });
  const { saga } = await createCheckedStory(it, 'cart');
  await createCheckedStory(it, 'pay');
  const epic = `${it.folder}/epic`;
  it.git('worktree', 'add', '-q', '-b', 'epic/shop', epic, 'main');
  it.write('../epic/.saga/epics/shop.json', {
    ...JSON.parse(it.read('.saga/epics/shop.json')),
    branch: 'epic/shop',
  });
  commitAll(it.gitIn, epic, 'saga: begin epic shop');
  it.gitIn(epic, 'merge', '-q', '--no-ff', '-m', 'Merge cart', 'story/cart');
  it.git('worktree', 'remove', '--force', epic);
  const early = await saga('land', 'shop', '--yes');
  expect(early.stderr).toContain('its branch lacks stories that passed their gate: pay');
  it.git('worktree', 'add', '-q', epic, 'epic/shop');
  it.gitIn(epic, 'merge', '-q', '--no-ff', '-m', 'Merge pay', 'story/pay');
  // A person committed to the branch since the last merge was verified.
  it.write('../epic/broken', 'broken\n');
  commitAll(it.gitIn, epic, 'By hand');
  const broken = await saga('land', 'shop', '--yes');
  expect(broken.stderr).toContain('merged, it does not verify');
  it.gitIn(epic, 'rm', '-q', 'broken');
  it.gitIn(epic, 'commit', '-q', '-m', 'Mend');
  it.git('worktree', 'remove', '--force', epic);

  const { code, stdout, stderr } = await saga('land', 'shop', '--yes', '--keep', '--json');
  expect(`${code} ${stderr}`).toBe('0 ');
  const landed = JSON.parse(stdout);
  expect(landed).toMatchObject({ kind: 'epic', result: 'landed', verified: 'verify' });
  expect(landed.removedWorktrees).toEqual([]);
  expect(it.gitIn(it.origin, 'rev-parse', 'main').trim()).toBe(landed.commit);
  expect([it.read('cart.txt'), it.read('pay.txt')]).toEqual(['cart\n', 'pay\n']);

  // Somebody adds a story to the epic and works on it: what nobody has checked is not tidied.
  it.epic('shop', { cart: [], pay: [], late: [] }, { branch: 'epic/shop' });
  it.story('late', {}, { one: {} });
  it.git('worktree', 'add', '-q', '-b', 'story/late', `${it.worktrees}/late`, 'main');
  const again = JSON.parse((await saga('land', 'shop', '--yes', '--json')).stdout);
  expect(again).toMatchObject({ result: 'already', commit: landed.commit });
  expect(again.removedWorktrees).toHaveLength(2);
  expect(it.git('branch', '--format=%(refname:short)').trim()).toBe('main\nstory/late');
  it.git('restore', '.saga/epics');
  const { epics } = JSON.parse((await saga('status', '--json')).stdout);
  expect(epics[0]).toMatchObject({ id: 'shop', state: 'done' });
  const { files } = JSON.parse((await saga('diff', 'shop', '--json')).stdout);
  expect(files.map((file: { path: string }) => file.path)).toEqual(['cart.txt', 'pay.txt']);
});

test('a story with a submodule is tidied, also after its project was renamed', async () => {
  using it = createProject();
  const lib = join(it.folder, 'lib');
  it.gitIn(it.folder, 'init', '-q', '-b', 'main', lib);
  writeFileSync(join(lib, 'lib.txt'), 'lib\n');
  commitAll(it.gitIn, lib, 'Lib');
  const local = ['-c', 'protocol.file.allow=always', 'submodule', '--quiet'];
  it.git(...local, 'add', lib, 'vendor/lib');
  const setup = `git ${local.join(' ')} update --init --recursive`;
  it.write('.saga/config.json', {
    gate: { verify: 'test -f cart.txt', clean: false },
    // The submodule's remote lies in /tmp, which a run in the sandbox has for itself.
    worker: { sandbox: 'off' },
    worktree: { setup },
  });
  const { worktree } = await createCheckedStory(it, 'cart');
  expect(existsSync(join(worktree, 'vendor/lib/lib.txt'))).toBe(true);
  const root = join(it.folder, 'renamed');
  renameSync(it.root, root);
  const env = { ...it.env, SAGA_SESSION_DIR: join(it.folder, 'sessions') };
  const saga = (...args: string[]) => runProgram(SAGA, args, { cwd: root, env });
  expect(await saga('diff', 'cart', '--stat')).toMatchObject({ code: 0, stderr: '' });
  const landed = await saga('land', 'cart', '--yes', '--json');
  expect(landed).toMatchObject({ code: 0, stderr: '' });
  expect(JSON.parse(landed.stdout)).toMatchObject({ removedWorktrees: [worktree] });
  expect(existsSync(worktree)).toBe(false);
  expect(it.gitIn(root, 'branch', '--list', 'story/cart')).toBe('');
});

test('a plan that was pushed only after its epic began is no conflict, unless somebody edited it since', async () => {
  using it = createProject();
  const first = it.git('rev-parse', 'main').trim();
  const { saga } = await createMergedEpic(it);
  // The plan comes to main by another commit than to the branch.
  it.git('reset', '-q', '--soft', first);
  it.git('commit', '-q', '-m', 'The plan');
  const story = '.saga/stories/cart/story.json';
  const written = JSON.parse(it.read(story));
  it.write(story, { ...written, title: 'Another cart' });
  // A status alone is no definition.
  const task = '.saga/stories/cart/one.json';
  it.write(task, { ...JSON.parse(it.read(task)), status: 'in_progress' });
  commitAll(it.gitIn, it.root, 'Edit the plan');
  it.git('push', '-qf', 'origin', 'main');
  const refused = await saga('land', 'shop', '--yes');
  expect(refused.stderr).toContain(`epic/shop and main change the same places: ${story}.`);
  expect(refused.code).toBe(1);

  it.write(story, written);
  commitAll(it.gitIn, it.root, 'Take it back');
  it.git('push', '-q', 'origin', 'main');
  const landed = await saga('land', 'shop', '--yes');
  expect(`${landed.code} ${landed.stderr}`).toBe('0 ');
  expect(JSON.parse(it.read(task)).status).toBe('completed');
  expect(JSON.parse(it.read('.saga/epics/shop.json')).branch).toBe('epic/shop');
  const { epics } = JSON.parse((await saga('status', '--json')).stdout);
  expect(epics[0]).toMatchObject({ id: 'shop', state: 'done' });
});
