import {
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { runCommand, SAGA } from '../../rig/programs/run-program.ts';
import { createProject } from '../../rig/project/project.ts';
import { createTempFolder } from '../../rig/project/temp-folder.ts';
import { PLUGIN } from '../../rig/worker/plugin-session.ts';

const SENTENCE =
  'SAGA is not installed. In a clone of it, type npm run setup && npm run build && npm install -g ./packages/cli\n';
const QUIET = { code: 0, stdout: '', stderr: '' };
const NODE = join(process.execPath, '..');

/** The plugin as the client copies it, in a project with a story whose worktree a person made. */
function createCopy() {
  const it = createProject();
  const plugin = join(it.folder, 'cache/saga/0.1.0');
  cpSync(PLUGIN, plugin, { recursive: true });
  it.story('cart', {}, { one: {} });
  it.git('add', '-A');
  it.git('commit', '-qm', 'Plan');
  const worktree = join(it.worktrees, 'cart');
  it.git('worktree', 'add', '-q', '-b', 'story/cart', worktree);
  const bin = join(it.folder, 'bin');
  mkdirSync(bin);
  const PATH = `${join(plugin, 'bin')}:${bin}:${NODE}:/usr/bin:/bin`;
  const run = (words: string[], cwd: string, input: object = {}, path = PATH) =>
    runCommand('/bin/sh', words, {
      ...{ cwd, input: JSON.stringify(input) },
      env: { ...it.env, PATH: path, CLAUDE_PLUGIN_ROOT: plugin, CLAUDE_PROJECT_DIR: cwd },
    });
  const { hooks } = JSON.parse(readFileSync(join(plugin, 'hooks/hooks.json'), 'utf8'));
  return {
    ...{ ...it, plugin, worktree, bin, PATH },
    saga: (...args: string[]) => run(['-c', 'saga "$@"', 'sh', ...args], it.root),
    /** Starts the hooks of an event as the client does. */
    hook(event: string, cwd: string, input: object = {}, path = PATH) {
      const [{ command }] = hooks[event][0].hooks;
      return run(['-c', command], cwd, { hook_event_name: event, cwd, ...input }, path);
    },
  };
}

const write = (file_path: string) => ({
  ...{ tool_name: 'Write', tool_input: { file_path, content: 'x' } },
});
const UPDATE = {
  tool_name: 'TaskUpdate',
  tool_response: { taskId: 'one', statusChange: { to: 'completed' } },
};

const WAYS: Record<string, (bin: string) => void> = {
  'a link, as npm makes it': (bin) => symlinkSync(SAGA, join(bin, 'saga')),
  'a script, as pnpm makes it': (bin) => {
    symlinkSync(join(SAGA, '../..'), join(bin, 'cli'));
    const script = '#!/bin/sh\nexec node  "$basedir/cli/dist/saga.cjs" "$@"\n';
    writeFileSync(join(bin, 'saga'), script, { mode: 0o755 });
  },
};

describe.each(Object.entries(WAYS))('a copied plugin with saga on PATH: %s', (_, install) => {
  test('has the command, the worker and both hooks', async () => {
    using it = createCopy();
    install(it.bin);
    const { version } = JSON.parse(readFileSync(join(SAGA, '../../package.json'), 'utf8'));
    expect(await it.saga('--version')).toEqual({ ...QUIET, stdout: `${version}\n` });
    const worker = await runCommand(
      process.execPath,
      [join(it.plugin, 'scripts/worker.js'), 'nothing'],
      { cwd: it.root, env: { ...it.env, PATH: it.PATH } },
    );
    expect(worker.code).toBe(1);
    expect(worker.stderr).toContain('No story or epic "nothing"');

    const inside = write(join(it.worktree, 'src/a.js'));
    const outside = write(join(it.root, 'a.js'));
    expect(await it.hook('PreToolUse', it.worktree, inside)).toEqual(QUIET);
    expect(await it.hook('PreToolUse', it.worktree, outside)).toMatchObject({
      ...{ code: 0, stderr: '', stdout: expect.stringContaining('"permissionDecision":"deny"') },
    });
    expect(await it.hook('PostToolUse', it.worktree, UPDATE)).toEqual({
      ...QUIET,
      stdout: '{"systemMessage":"SAGA: cart/one is completed"}\n',
    });
  });
});

test('a copied plugin without saga says how to install it, once; only a story’s worktree is closed', async () => {
  using it = createCopy();
  expect(await it.saga('status')).toEqual({ code: 1, stdout: '', stderr: SENTENCE });
  const call = write(join(it.worktree, 'src/a.js'));
  expect(await it.hook('PreToolUse', it.worktree, call)).toEqual({
    ...{ code: 2, stdout: '', stderr: SENTENCE },
  });
  const synced = await it.hook('PostToolUse', it.worktree, UPDATE);
  expect(synced).toEqual({ code: 0, stdout: '', stderr: SENTENCE });
  for (const event of ['SessionStart', 'PreToolUse', 'PostToolUse']) {
    expect(await it.hook(event, it.root, call)).toEqual(QUIET);
    expect(await it.hook(event, it.folder, call)).toEqual(QUIET);
  }
});

test('a program named saga that is not SAGA, and one in a folder of the story, are not taken', async () => {
  using it = createCopy();
  writeFileSync(join(it.bin, 'saga'), '#!/bin/sh\necho another saga\n', { mode: 0o755 });
  mkdirSync(join(it.folder, 'source/saga'), { recursive: true });
  mkdirSync(join(it.worktree, 'hooks'));
  writeFileSync(join(it.worktree, 'saga'), '');
  writeFileSync(join(it.worktree, 'hooks/scope-validator.cjs'), '');
  const call = write(join(it.root, 'a.js'));
  expect(
    await it.hook('PreToolUse', it.worktree, call, `.::${it.folder}/source:${it.PATH}`),
  ).toEqual({
    ...{ code: 2, stdout: '', stderr: SENTENCE },
  });
});

test('whatever part of the plugin is gone, a session outside of a story is not disturbed', async () => {
  using it = createCopy();
  const call = write(join(it.root, 'a.js'));
  const parts = ['hooks', 'scripts', 'bin'].flatMap((folder) => [
    folder,
    ...readdirSync(join(it.plugin, folder)).map((name) => `${folder}/${name}`),
  ]);
  const away = join(it.folder, 'away');
  for (const part of parts) {
    renameSync(join(it.plugin, part), away);
    for (const event of ['SessionStart', 'PreToolUse', 'PostToolUse']) {
      expect({ part, ...(await it.hook(event, it.root, call)) }).toEqual({ part, ...QUIET });
    }
    renameSync(away, join(it.plugin, part));
  }
});

test('in a story’s worktree a launcher that is gone closes the guard with one sentence', async () => {
  using it = createCopy();
  symlinkSync(SAGA, join(it.bin, 'saga'));
  const call = write(join(it.worktree, 'src/a.js'));
  rmSync(join(it.plugin, 'scripts'), { recursive: true });
  const { code, stdout, stderr } = await it.hook('PreToolUse', it.worktree, call);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toMatch(/^SAGA cannot check the scope of this story: .*\n$/);
});

test('a branch story/… of a repository without such a story has no scope', async () => {
  using it = createCopy();
  using other = createTempFolder();
  const root = join(other.path, 'other');
  mkdirSync(root);
  it.gitIn(root, 'init', '-q');
  it.gitIn(root, 'commit', '-q', '--allow-empty', '-m', 'First');
  const worktree = join(other.path, 'login');
  it.gitIn(root, 'worktree', 'add', '-q', '-b', 'story/login-page', worktree);
  it.git('worktree', 'add', '-q', '-b', 'story/unknown', '../unknown');
  for (const folder of [worktree, join(it.folder, 'unknown')]) {
    for (const event of ['PreToolUse', 'PostToolUse']) {
      expect(await it.hook(event, folder, write('/etc/hostname'))).toEqual(QUIET);
    }
    expect((await it.hook('SessionStart', folder)).stdout).not.toContain('worktree of story');
  }
});

test('what is committed of the plugin is written by hand, and short', () => {
  const names = readdirSync(join(PLUGIN, 'scripts'));
  expect(names.toSorted()).toEqual([
    ...['package.json', 'saga.js', 'scope-validator.js', 'start.js', 'sync-hook.js', 'worker.js'],
  ]);
  for (const name of names) {
    const lines = readFileSync(join(PLUGIN, 'scripts', name), 'utf8')
      .trimEnd()
      .split('\n');
    expect(lines.length).toBeLessThanOrEqual(30);
  }
});
