import { existsSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { createTempFolder } from '../../rig/project/temp-folder.ts';
import { createWorkshop } from '../../rig/worker/workshop.ts';

/** As on macOS, where /tmp and the folder for temporary files are links. */
test('a project, a home and temporary files behind a link: a story is done and its evidence holds', async () => {
  using folder = createTempFolder();
  const link = join(folder.path, 'linked');
  const write = { 'src/cart.js': 'exports.cart = [];\n' };
  const run = ['mktemp > made.txt && rm "$(cat made.txt)" && git add made.txt'];
  await using it = await createWorkshop({
    rehearsals: { one: { write, run, commit: 'cart: keep items' } },
  });
  const real = dirname(it.root);
  symlinkSync(real, link);
  const env = Object.fromEntries(
    Object.entries(it.environment).map(([key, value]) => [key, value.replaceAll(real, link)]),
  );
  expect(env).toMatchObject({ HOME: join(link, 'home'), TMPDIR: join(link, 'temp') });
  it.story('cart', { verify: 'node -e "require(\'./src/cart.js\')"' }, { one: {} });
  const saga = (...args: string[]) =>
    it.saga([...args, '--project', join(link, 'project')], { cwd: folder.path, env });

  const { code, stderr } = await saga('worker', 'cart');
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(await saga('verify', 'cart')).toMatchObject({ code: 0, stderr: '' });
  expect(it.pushedStatuses('cart')).toEqual({ one: 'completed' });
  expect(it.events().filter(({ type }) => type === 'guard:denied')).toEqual([]);

  const { sessions } = JSON.parse((await saga('sessions', '--json')).stdout);
  expect(sessions).toMatchObject([{ story: 'cart', state: 'ended', outcome: 'done' }]);
  expect(existsSync(sessions[0].outputFile)).toBe(true);
  const { stories } = JSON.parse((await saga('list', '--json')).stdout);
  expect(stories).toMatchObject([{ id: 'cart', state: 'in review' }]);
});

test('from inside a story’s worktree behind a link, the project and the story are found', async () => {
  using folder = createTempFolder();
  const link = join(folder.path, 'linked');
  await using it = await createWorkshop();
  it.story('cart', {}, { one: {} });
  it.git('add', '-A');
  it.git('commit', '-q', '-m', 'Plan');
  it.git('worktree', 'add', '-q', '-b', 'story/cart', join(it.worktrees, 'cart'));
  symlinkSync(dirname(it.root), link);
  const place = join(link, 'project.stories/cart');
  const { stdout, code } = await it.saga(['show', 'cart', '--json', '--project', place]);
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ story: { id: 'cart' } });
});
