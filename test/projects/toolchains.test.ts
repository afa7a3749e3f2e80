import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { Rehearsal } from '@saga-ai/types/plan/task';
import { test as anyTest, expect } from 'vitest';
import { runCommand } from '../rig/programs/run-program.ts';
import { findSandboxRefusal } from '../rig/worker/find-sandbox-refusal.ts';
import { createWorkshop } from '../rig/worker/workshop.ts';
import { personal } from './story-beside.ts';

const refused = await findSandboxRefusal();
const RUSTUP = process.env.RUSTUP_HOME ?? join(homedir(), '.rustup');
const PATIENCE = { timeout: 15 * 60_000 };

/** A repository as people have them, and the work of one run on it. */
interface Toolchain {
  files: Record<string, unknown>;
  setup: string | null;
  verify: string;
  work: Rehearsal;
  env?: Record<string, string>;
  isHere?: boolean;
  /** Makes the lock file, as the person would. */
  lock?: string[];
}

const TOOLCHAINS: Record<string, Toolchain> = {
  'TypeScript with npm, and a server on loopback': {
    files: {
      'package.json': {
        name: 'shop',
        private: true,
        type: 'module',
        scripts: { test: 'tsc && node --test dist/sum.test.js' },
        devDependencies: { typescript: '5.9.3', '@types/node': '24.10.1' },
      },
      'tsconfig.json': {
        compilerOptions: { module: 'nodenext', target: 'es2023', outDir: 'dist', strict: true },
        include: ['src'],
      },
      '.gitignore': 'node_modules\ndist\n',
      'src/sum.ts': 'export const sum = (a: number, b: number) => a + b;\n',
    },
    lock: ['install', '--package-lock-only', '--no-audit', '--no-fund'],
    setup: 'npm ci --no-audit --no-fund',
    verify: 'npm test',
    work: {
      write: {
        'src/sum.test.ts': [
          "import assert from 'node:assert';",
          "import { createServer } from 'node:http';",
          "import { test } from 'node:test';",
          "import { sum } from './sum.js';",
          "test('sum', () => assert.equal(sum(1, 2), 3));",
          "test('a server on loopback', async () => {",
          "  const server = createServer((_, response) => response.end('hello'));",
          "  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));",
          '  const { port } = server.address() as { port: number };',
          "  assert.equal(await (await fetch('http://127.0.0.1:' + port)).text(), 'hello');",
          '  server.close();',
          '});',
          '',
        ].join('\n'),
      },
      run: ['npm test'],
      commit: 'Test the sum',
    },
  },
  'Python with a venv': {
    // Debian has ensurepip in a package of its own.
    isHere: spawnSync('python3', ['-c', 'import venv, ensurepip']).status === 0,
    files: {
      '.gitignore': '.venv\n__pycache__\n',
      'shop.py': 'def add(a, b):\n    return a + b\n',
    },
    setup: 'python3 -m venv .venv',
    verify: '.venv/bin/python -m unittest -v',
    work: {
      write: {
        'test_shop.py':
          'import unittest\nimport shop\n\n\nclass Shop(unittest.TestCase):\n    def test_add(self):\n        self.assertEqual(shop.add(1, 2), 3)\n',
      },
      run: ['.venv/bin/python -m unittest'],
      commit: 'Test the shop',
    },
  },
  'Rust with cargo': {
    isHere: existsSync(RUSTUP),
    env: { RUSTUP_HOME: RUSTUP },
    files: {
      '.gitignore': 'target\n',
      'Cargo.toml': '[package]\nname = "shop"\nversion = "0.1.0"\nedition = "2021"\n',
      'Cargo.lock':
        '# This file is generated.\nversion = 3\n\n[[package]]\nname = "shop"\nversion = "0.1.0"\n',
      'src/lib.rs': 'pub fn add(a: u32, b: u32) -> u32 {\n    a + b\n}\n',
    },
    setup: null,
    verify: 'cargo test --offline --quiet',
    work: {
      write: { 'tests/add.rs': '#[test]\nfn adds() {\n    assert_eq!(shop::add(1, 2), 3);\n}\n' },
      run: ['cargo test --offline --quiet'],
      commit: 'Test add',
    },
  },
};

for (const [name, toolchain] of Object.entries(TOOLCHAINS)) {
  const test = anyTest.skipIf(refused !== undefined || toolchain.isHere === false);
  test(`behind the walls: ${name}`, PATIENCE, async () => {
    const { files, setup, verify, work, env = {}, lock } = toolchain;
    await using it = await createWorkshop({ rehearsals: { one: work } });
    for (const [path, content] of Object.entries(files)) it.write(path, content);
    if (lock) {
      const made = await runCommand('npm', lock, { cwd: it.root, env: personal() });
      expect(made.code, made.stderr).toBe(0);
    }
    it.write('.saga/config.json', {
      worker: { sandbox: 'required' },
      worktree: { setup },
      gate: { verify },
    });
    it.git('add', '-A');
    it.git('commit', '-qm', 'The project');
    it.git('push', '-q', 'origin', 'main');
    it.story('cart', {}, { one: {} });
    // Behind the walls npm has a cache of its own.
    const { PATH: _, npm_config_cache: __, ...reach } = personal();
    const { code, stdout, stderr } = await it.saga(['worker', 'cart'], {
      env: { ...reach, ...env },
    });
    expect(code, stdout + stderr).toBe(0);
    const ended = it.events().filter(({ type }) => type === 'gate:passed');
    expect(ended).toHaveLength(1);
    expect(it.pushedStatuses('cart')).toEqual({ one: 'completed' });
  });
}
