import { expect, test } from 'vitest';
import { runCommand, runProgram, SAGA } from '../../rig/programs/run-program.ts';
import { completeStory } from '../../rig/project/done.ts';
import { createProject, type Project } from '../../rig/project/project.ts';
import { commitAll } from '../../rig/project/repository.ts';
import { expectJson } from '../../rig/screens/expect-json.ts';

/** A story `cart` with work on its branch and no worktree, while main moved on. */
function createWork(): Project {
  const it = createProject();
  it.story('cart', {}, { one: {} });
  commitAll(it.gitIn, it.root, 'Plan');
  it.git('push', '-q', 'origin', 'main');
  it.git('switch', '-q', '-c', 'story/cart');
  it.write('src/cart.ts', 'one\ntwo\n');
  it.write('.saga/stories/cart/journal.md', '## Note: worked\n');
  commitAll(it.gitIn, it.root, 'Work');
  it.git('switch', '-q', 'main');
  it.write('other.ts', 'of main\n');
  commitAll(it.gitIn, it.root, 'Main moved on');
  it.git('push', '-q', 'origin', 'main');
  return it;
}

const open =
  (it: Project) =>
  (...args: string[]) =>
    runProgram(SAGA, ['diff', ...args], { cwd: it.root, env: it.env });

test("a story's diff has its own changes only, and the plan with --all", async () => {
  using it = createWork();
  const diff = open(it);
  const shown = await diff('cart');
  expect(shown).toMatchObject({ code: 0, stderr: '' });
  expect(shown.stdout).toContain('+++ b/src/cart.ts\n@@ -0,0 +1,2 @@\n+one\n+two\n');
  expect(shown.stdout).not.toMatch(/journal|other\.ts/);
  expect(shown.stdout).not.toContain('\u001b');
  expect((await diff('cart', '--all')).stdout).toContain('journal.md');
  const counted = await diff('cart', '--stat');
  expect(counted.stdout).toMatch(/src\/cart\.ts \| 2 \+\+\n 1 file changed, 2 insertions/);
  const { stdout } = await diff('cart', '--json');
  await expectJson('diff', stdout);
  expect(JSON.parse(stdout)).toMatchObject({
    item: 'cart',
    kind: 'story',
    base: 'main',
    head: 'story/cart',
    from: it.git('rev-parse', 'main~').trim(),
    isMerged: false,
    files: [{ path: 'src/cart.ts', added: 2, removed: 0 }],
    planFiles: 1,
    uncommitted: [],
  });
});

test('what no commit has is named, and a story without a branch has nothing to show', async () => {
  using it = createWork();
  it.git('worktree', 'add', '-q', `${it.worktrees}/cart`, 'story/cart');
  it.write('../project.stories/cart/left.ts', 'left\n');
  const shown = await open(it)('cart');
  expect(shown.stderr).toContain('no commit has them: left.ts in the worktree of cart');
  expect(shown.stdout).not.toContain('left');
  it.story('fresh');
  const refused = await open(it)('fresh');
  expect(refused.code).toBe(1);
  expect(refused.stderr).toContain('Story fresh has no branch yet, so it has changed nothing.');
  expect(refused.stderr).toContain('saga run fresh');
});

test('at a terminal git pages and colours, and --tool opens the difftool', async () => {
  using it = createWork();
  const args = ['-qec', `${process.execPath} ${SAGA} diff cart`, '/dev/null'];
  const env = { ...it.env, TERM: 'xterm', GIT_PAGER: 'sed s/^/paged:/' };
  const shown = await runCommand('script', args, { cwd: it.root, env });
  expect(shown.stdout).toContain('paged:');
  expect(shown.stdout).toContain('\u001b[32m');
  it.git('config', 'diff.tool', 'mine');
  it.git('config', 'difftool.mine.cmd', 'ls "$REMOTE/src"');
  expect((await open(it)('cart', '--tool')).stdout).toBe('cart.ts\n');
});

test('a merged story and a merged epic show the same diff as before', async () => {
  using it = createWork();
  const diff = open(it);
  const list = async (id: string) => {
    const { isMerged, files } = JSON.parse((await diff(id, '--json')).stdout);
    return { isMerged, files: files.map((file: { path: string }) => file.path) };
  };
  const [base, head] = ['main~', 'story/cart'].map((name) => it.git('rev-parse', name).trim());
  it.git('switch', '-q', 'story/cart');
  completeStory(it, 'cart', { base: base ?? '', head: head ?? '' });
  it.git('switch', '-q', 'main');
  it.git('merge', '-q', '--squash', 'story/cart');
  it.git('commit', '-q', '-m', 'Squashed');
  it.git('branch', '-q', '-D', 'story/cart');
  it.git('push', '-q', 'origin', 'main');
  expect(await list('cart')).toEqual({ isMerged: true, files: ['src/cart.ts'] });

  it.epic('shop', { cart: [] });
  commitAll(it.gitIn, it.root, 'Epic');
  it.git('push', '-q', 'origin', 'main');
  it.git('switch', '-q', '-c', 'epic/shop');
  it.epic('shop', { cart: [] }, { branch: 'epic/shop' });
  commitAll(it.gitIn, it.root, 'saga: begin epic shop');
  it.write('shop.ts', 'shop\n');
  commitAll(it.gitIn, it.root, 'Shop');
  it.git('switch', '-q', 'main');
  expect(await list('shop')).toEqual({ isMerged: false, files: ['shop.ts'] });
  it.git('merge', '-q', '--no-ff', '-m', 'Merge', 'epic/shop');
  it.git('push', '-q', 'origin', 'main');
  expect(await list('shop')).toEqual({ isMerged: true, files: ['shop.ts'] });
  it.git('branch', '-q', '-D', 'epic/shop');
  expect(await list('shop')).toEqual({ isMerged: true, files: ['shop.ts'] });
});

test('a remark on a line is Feedback with the line quoted; a line that is not there is refused', async () => {
  using it = createWork();
  const saga = (...args: string[]) => runProgram(SAGA, args, { cwd: it.root, env: it.env });
  const said = await saga('feedback', 'cart', '--at', 'src/cart.ts:2', 'Say 2.', '--json');
  await expectJson('feedback', said.stdout);
  expect(JSON.parse(said.stdout).entry).toMatchObject({
    kind: 'Feedback',
    title: 'src/cart.ts:2: Say 2.',
    body: 'src/cart.ts:2: Say 2.\n\nThe line, in src/cart.ts:\n\n> two',
  });
  expect(it.read('.saga/stories/cart/journal.md')).toContain('> two');
  const refused = await saga('feedback', 'cart', '--at', 'src/cart.ts:3', 'No.');
  expect(refused.code).toBe(1);
  expect(refused.stderr).toContain('story/cart has no line 3 in src/cart.ts.');
  expect((await saga('feedback', 'cart', '--at', 'src/cart.ts', 'No.')).stderr).toContain(
    '--at takes a file and a line',
  );
  expect(it.read('.saga/stories/cart/journal.md')).not.toContain('No.');
});
