import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { GateCheck } from '@saga-ai/types/run/evidence';
import { expect, test } from 'vitest';
import { createProject } from '../../../../../test/rig/project/project.ts';
import { commitAll } from '../../../../../test/rig/project/repository.ts';
import { ensureWorktree } from '../prepare/ensure-worktree.ts';
import { verifyCommit } from './verify-commit.ts';

/** Without the registry, and without what npm does beside installing. */
const NPM_CI = 'npm ci --offline --no-audit --no-fund --loglevel=error';

/** A repository with a story, whose work is committed and verified step by step. */
async function createJudged(files: Record<string, unknown>, setup: string) {
  const it = createProject();
  for (const [path, content] of Object.entries(files)) it.write(path, content);
  commitAll(it.gitIn, it.root, 'The project');
  it.git('push', '-q');
  it.story('x');
  const worktree = await ensureWorktree(it.worker());
  const worker = it.worker({ worktree: { setup } });
  const judge = async (command: string, work: Record<string, string> = {}): Promise<GateCheck> => {
    for (const [path, text] of Object.entries(work)) {
      mkdirSync(dirname(join(worktree.folder, path)), { recursive: true });
      writeFileSync(join(worktree.folder, path), text);
    }
    it.gitIn(worktree.folder, 'add', '-A');
    it.gitIn(worktree.folder, 'commit', '-q', '--allow-empty', '-m', 'Work');
    const head = it.gitIn(worktree.folder, 'rev-parse', 'HEAD').trim();
    const { check } = await verifyCommit(worker, worktree, { command, head });
    return check;
  };
  return Object.assign(it, { judge, worktree });
}

const PASSED = { name: 'verify', outcome: 'passed' };
const FAILED = {
  ...PASSED,
  outcome: 'failed',
  detail: expect.stringMatching(/code 1 in a clean checkout$/),
};

const manifest = (name: string, more: object) => ({
  name,
  version: '1.0.0',
  type: 'module',
  ...more,
});
const lockFile = (packages: object) => ({ lockfileVersion: 3, requires: true, packages });

const PREPARE = { prepare: 'mkdir -p dist && cp src/index.js dist/index.js' };
const ADD = 'export const add = (a, b) => a + b;\n';
const WRONG_ADD = 'export const add = (a, b) => a - b;\n';
const MUL = 'export const mul = (a, b) => a * b;\n';
const testOfAdd = (from: string) =>
  `import { add } from '${from}';\nif (add(2, 2) !== 4) throw new Error('2 + 2');\nif (add(2, 1) !== 3) throw new Error('2 + 1');\n`;
const testOfMul = (from: string) =>
  `import { mul } from '${from}';\nif (mul(2, 3) !== 6) throw new Error('2 * 3');\n`;

test.each([
  {
    what: 'the build of an npm package in prepare',
    setup: NPM_CI,
    source: 'src/index.js',
    from: '../dist/index.js',
    check: 'test',
    files: {
      '.gitignore': 'node_modules\ndist\n',
      'package.json': manifest('sums', { scripts: PREPARE }),
      'package-lock.json': lockFile({ '': { name: 'sums', version: '1.0.0' } }),
    },
  },
  {
    what: 'a built package of the workspace',
    setup: NPM_CI,
    source: 'packages/sums/src/index.js',
    from: 'sums',
    check: 'packages/shop/test',
    files: {
      '.gitignore': 'node_modules\ndist\n',
      'package.json': manifest('all', { private: true, workspaces: ['packages/*'] }),
      'packages/sums/package.json': manifest('sums', {
        exports: './dist/index.js',
        scripts: PREPARE,
      }),
      'packages/shop/package.json': manifest('shop', { dependencies: { sums: '1.0.0' } }),
      'package-lock.json': lockFile({
        '': { name: 'all', version: '1.0.0', workspaces: ['packages/*'] },
        'node_modules/shop': { resolved: 'packages/shop', link: true },
        'node_modules/sums': { resolved: 'packages/sums', link: true },
        'packages/shop': { version: '1.0.0', dependencies: { sums: '1.0.0' } },
        'packages/sums': { version: '1.0.0' },
      }),
    },
  },
  {
    what: 'a client that setup generates from a schema',
    setup: 'sh generate.sh',
    source: 'schema.txt',
    from: '../node_modules/client/index.mjs',
    check: 'test',
    files: {
      '.gitignore': 'node_modules\n',
      'package-lock.json': '{}\n',
      'generate.sh':
        'mkdir -p node_modules/client && cp schema.txt node_modules/client/index.mjs\n',
    },
  },
])(
  'a story is not passed for broken code, nor failed for right code: $what',
  async ({ setup, source, from, check, files }) => {
    using it = await createJudged(
      { ...files, [source]: ADD, [`${check}/add.mjs`]: testOfAdd(from) },
      setup,
    );
    const verify = `for it in ${check}/*.mjs; do node $it || exit 1; done`;
    expect(await it.judge(verify, { [source]: WRONG_ADD })).toMatchObject(FAILED);
    const work = { [source]: ADD + MUL, [`${check}/mul.mjs`]: testOfMul(from) };
    expect(await it.judge(verify, work)).toMatchObject(PASSED);
  },
);

test('what an earlier verify left is not there: no file, no folder, no repository in a repository', async () => {
  using it = await createJudged({ '.gitignore': 'made\n' }, 'mkdir made && echo 1 > made/tool');
  const leave =
    'echo 2 > made/tool; touch -r README.md made/lie; git init -q made/inner; mkdir -p left/deep; echo x > left/deep/x; chmod a-w left/deep; false';
  expect(await it.judge(leave)).toMatchObject(FAILED);
  const look = 'test "$(ls -A made)" = tool && grep -q 1 made/tool && test ! -e left';
  expect(await it.judge(look)).toMatchObject(PASSED);
});
