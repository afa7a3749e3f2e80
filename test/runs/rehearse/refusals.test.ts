import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { pathWithout } from '../../rig/programs/path-without.ts';
import { SAGA } from '../../rig/programs/run-program.ts';
import { lookAround } from '../../rig/worker/traces.ts';
import { createWorkshop } from '../../rig/worker/workshop.ts';

test('what cannot be rehearsed is said at once, and nothing is touched', async () => {
  await using it = await createWorkshop();
  it.write('.saga/epics/shop.json', {
    id: 'shop',
    title: 'Shop',
    description: 'All.',
    children: [{ id: 'cart', blockedBy: [] }],
  });
  it.story('cart', { epic: 'shop' }, { a: {} });
  it.story('old', {}, { a: { status: 'completed' } });
  it.story('empty', {}, {});
  it.story('mine', {}, { a: {} });
  await it.saga(['archive', 'old']);
  it.git('branch', 'rehearsal/mine');
  const before = lookAround(it);
  const ask = async (id: string, env: Record<string, string> = {}) => {
    const { code, stdout, stderr } = await it.saga(['rehearse', id], { env });
    return `${code}: ${stderr || stdout.split('\n').slice(0, 2).join('\n')}`
      .replace(/ +/g, ' ')
      .trim();
  };
  expect(await ask('shop')).toMatchInlineSnapshot(`
    "1: ✗ shop is an epic; saga rehearse takes one story. [usage]
     Its stories: cart"
  `);
  expect(await ask('chart')).toMatchInlineSnapshot(`
    "1: ✗ No story or epic "chart". [not-found]
     Did you mean cart? saga list shows all."
  `);
  expect(await ask('old')).toMatchInlineSnapshot(`
    "1: ✗ "old" is archived. [not-found]
     Bring it back: saga unarchive old"
  `);
  expect(await ask('../cart')).toMatchInlineSnapshot(`
    "1: ✗ No story or epic "../cart". [not-found]
     saga list shows all."
  `);
  expect(await ask('empty')).toMatchInlineSnapshot(`
    "1: ✗ preflight Story empty has no tasks, so there is nothing to run.
     → Add one: saga task create "…" --story empty"
  `);
  expect(await ask('mine')).toMatchInlineSnapshot(`
    "1: ✗ The branch rehearsal/mine exists already, and no rehearsal made it. [worktree-taken]
     Rename it: git branch -m rehearsal/mine another-name. Or, if nobody needs it: git branch -D rehearsal/mine"
  `);
  expect(await ask('cart', { PATH: pathWithout(it, 'claude') })).toMatchInlineSnapshot(`
    "1: ✗ preflight Claude Code (claude) was not found.
     → Install it: npm install -g @anthropic-ai/claude-code, or say where it is: saga config worker.claudePath PATH"
  `);
  const oldClient = join(it.home, '../old');
  mkdirSync(oldClient);
  writeFileSync(join(oldClient, 'claude'), '#!/bin/sh\necho "2.0.1 (Claude Code)"\n', {
    mode: 0o755,
  });
  const replaced = await ask('cart', { PATH: `${oldClient}:${it.environment.PATH}` });
  expect(replaced.replaceAll(oldClient, '/old')).toMatchInlineSnapshot(`
    "1: ✗ preflight /old/claude is Claude Code 2.0.1; SAGA needs 2.1.30 or later.
     → Update it: claude update, or npm install -g @anthropic-ai/claude-code"
  `);
  it.write('.saga/config.json', '{ "gate": { "verfy": "true" } }');
  expect(await ask('cart')).toMatchInlineSnapshot(`
    "1: ✗ .saga/config.json: "gate.verfy" is not a known key. [invalid-config]
     Did you mean gate.verify? saga config lists every key."
  `);
  it.write('.saga/config.json', '{}\n');
  expect(lookAround(it)).toEqual({ ...before, status: expect.any(String) });
  renameSync(join(it.root, '.git'), join(it.root, '../moved.git'));
  expect((await ask('cart')).replaceAll(it.root, '/project')).toMatchInlineSnapshot(`
    "1: ✗ preflight /project is not the top folder of a git repository.
     → Run git init there, or move .saga to the top of the repository."
  `);
});

test('a second rehearsal of the same story is refused and leaves the first alone', async () => {
  await using it = await createWorkshop();
  const rehearsal = {
    write: { 'a.txt': 'a\n' },
    run: ['while [ ! -e go ]; do sleep 0.1; done; rm go'],
    commit: 'a',
  };
  it.story('cart', {}, { a: { rehearsal } });
  const before = lookAround(it);
  let over = 0;
  const start = () => {
    const child = spawn(process.execPath, [SAGA, 'rehearse', 'cart', '--json'], {
      cwd: it.root,
      env: it.environment,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let stdout = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      stdout += text;
    });
    return once(child, 'close').then(([code]) => {
      over += 1;
      return { code, value: JSON.parse(stdout) };
    });
  };
  // At the same moment, and once more in the middle.
  const ended = [start(), start()];
  const log = join(it.root, '.git/saga/runs/rehearsals/cart.jsonl');
  await expect
    .poll(() => existsSync(log) && /"run:tool".*while \[/.test(readFileSync(log, 'utf8')))
    .toBe(true);
  ended.push(start());
  // The first one goes on when the others have been refused, however long they take to start.
  await expect.poll(() => over).toBe(2);
  const listed = it.git('worktree', 'list', '--porcelain').matchAll(/^worktree (.+)$/gm);
  const [rehearsed = ''] = [...listed].flatMap(([, path = '']) => (path === it.root ? [] : path));
  writeFileSync(join(rehearsed, 'go'), '');
  const all = await Promise.all(ended);
  expect(all.map(({ code }) => code).toSorted()).toEqual([0, 1, 1]);
  for (const { value } of all.filter(({ code }) => code === 1)) {
    expect(value.error).toMatchObject({
      code: 'in-flight',
      message: expect.stringMatching(/^Story cart is being rehearsed already \(process \d+\)\.$/),
      hint: expect.stringMatching(/^Wait until it has ended, or end it: kill \d+$/),
    });
  }
  expect(all.find(({ code }) => code === 0)?.value.holds).toBe(true);
  expect(lookAround(it)).toEqual(before);
});
