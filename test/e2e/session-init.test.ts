import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { PLUGIN } from '../rig/plugin-session.ts';
import { createTempFolder } from '../rig/temp-folder.ts';
import { runCommand } from '../support/run-program.ts';

/** What the hook says in a folder, and which variables it hands to the Bash tool. */
async function startSession(root: string, below: string, more: Record<string, string> = {}) {
  const file = join(root, 'variables');
  writeFileSync(file, '');
  const { code, stdout, stderr } = await runCommand('sh', [join(PLUGIN, 'hooks/session-init.sh')], {
    cwd: root,
    env: {
      CLAUDE_PROJECT_DIR: join(root, below),
      CLAUDE_ENV_FILE: file,
      CLAUDE_PLUGIN_ROOT: PLUGIN,
      ...more,
    },
  });
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  const read = '. "$1"; env | grep ^SAGA_ | grep -v SESSION_DIR | sort';
  const told = await runCommand('sh', ['-c', read, 'sh', file]);
  const variables = told.stdout.trim().split('\n').filter(Boolean);
  return { said: stdout, variables };
}

function put(root: string, path: string, text = ''): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}

test('the main checkout, also from a folder below', async () => {
  using folder = createTempFolder();
  const root = join(folder.path, "it's $HOME");
  put(root, '.saga/config.json');
  put(root, 'src/deep/x');
  const variables = [
    `SAGA_PLUGIN_ROOT=${PLUGIN}`,
    `SAGA_PROJECT_DIR=${root}`,
    'SAGA_TASK_CONTEXT=main',
  ];
  expect(await startSession(root, '')).toEqual({ said: '', variables });
  expect(await startSession(root, 'src/deep')).toEqual({ said: '', variables });
});

test('a story worktree, of today and of the older layout', async () => {
  using folder = createTempFolder();
  const { path: root } = folder;
  put(root, '.saga/worktrees/cart-api/.git', 'gitdir: x\n');
  put(root, '.saga/worktrees/cart-api/src/x');
  put(root, '.saga/worktrees/shop/pay/.git', 'gitdir: x\n');
  const { said, variables } = await startSession(root, '.saga/worktrees/cart-api/src');
  expect(said).toContain('this is the worktree of story cart-api');
  expect(variables.slice(1)).toEqual([
    `SAGA_PROJECT_DIR=${root}`,
    'SAGA_STORY_ID=cart-api',
    'SAGA_TASK_CONTEXT=story-worktree',
  ]);
  const older = await startSession(root, '.saga/worktrees/shop/pay');
  expect(older.variables).toEqual([
    'SAGA_EPIC_SLUG=shop',
    `SAGA_PLUGIN_ROOT=${PLUGIN}`,
    `SAGA_PROJECT_DIR=${root}`,
    'SAGA_STORY_ID=pay',
    'SAGA_STORY_SLUG=pay',
    'SAGA_TASK_CONTEXT=story-worktree',
  ]);
});

test('stories in flight are named, in one line', async () => {
  using folder = createTempFolder();
  const { path: root } = folder;
  const lock = (id: string, pid: number) =>
    put(root, `.saga/runs/locks/worker-${id}/${hostname()}~${pid}~1~abc`);
  lock('cart', process.pid);
  lock('pay', 4_194_000);
  lock('mail', 4_194_001);
  put(root, `.saga/runs/locks/story-cart/${hostname()}~${process.pid}~1~abc`);
  put(root, `.saga/runs/locks/worker-x.for.h~1~1~a/h~1~1~a`);
  const { said } = await startSession(root, '');
  expect(said).toBe(
    'SAGA: stories in flight, running: cart (saga sessions); cut off: mail, pay (saga run goes on).\n',
  );
});

test('a folder without .saga, or with names that are no ids, is left alone', async () => {
  using folder = createTempFolder();
  const { path: root } = folder;
  put(root, 'src/x');
  expect(await startSession(root, 'src')).toEqual({ said: '', variables: [] });
  const evil = '.saga/worktrees/$(touch pwned)';
  put(root, `${evil}/.git`);
  const { said, variables } = await startSession(root, evil);
  expect(said).toBe('');
  expect(variables).not.toContainEqual(expect.stringContaining('SAGA_STORY_ID'));
  expect(() => readFileSync(join(root, 'pwned'))).toThrow();
});
