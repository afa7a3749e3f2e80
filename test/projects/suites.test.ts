import { expect, test } from 'vitest';
import { createStoryBeside, type PackageOptions } from './story-beside.ts';

const SUM = 'module.exports = (a, b) => a + b;\n';
const plain = (title: string) =>
  `const sum = require('../sum.js');\ntest('${title}', () => { expect(sum(1, 2)).toBe(3); });\n`;

/** Small packages whose versions are pinned, so that a failure is ours. Raise them now and then. */
const SUITES: Record<string, PackageOptions> = {
  mocha: {
    manifest: { scripts: { test: 'mocha --recursive' }, devDependencies: { mocha: '12.0.3' } },
    files: {
      'sum.js': SUM,
      'test/sum.js': `const assert = require('node:assert');\nit('of the main checkout', () => assert.equal(require('../sum.js')(1, 2), 3));\n`,
    },
    added: ['test/added.js', `it('of the story', () => {});\n`],
    lock: true,
  },
  jest: {
    manifest: { scripts: { test: 'jest --verbose' }, devDependencies: { jest: '30.5.2' } },
    files: { 'sum.js': SUM, 'test/sum.test.js': plain('of the main checkout') },
    added: ['test/added.test.js', plain('of the story')],
  },
  vitest: {
    manifest: {
      scripts: { test: 'vitest run --globals --reporter=verbose' },
      devDependencies: { vitest: '5.1.0' },
    },
    files: { 'sum.js': SUM, 'test/sum.test.js': plain('of the main checkout') },
    added: ['test/added.test.js', plain('of the story')],
  },
};

const PATIENCE = { timeout: 15 * 60_000 };

test.each(Object.entries(SUITES))(
  '%s passes in the worktree, and in the main checkout runs its own tests only',
  PATIENCE,
  async (_, options) => {
    using it = await createStoryBeside({ ...options, install: true });
    expect(it.setup).toBe(options.lock ? 'npm ci' : 'npm install --no-package-lock');
    expect(it.project.said('setup:end')).toMatchObject([{ exitCode: 0 }]);
    const inStory = await it.test(it.worktree);
    expect(inStory).toMatchObject({ code: 0 });
    expect(inStory.output).toContain('of the story');
    expect(inStory.output).toContain('of the main checkout');
    const inMain = await it.test(it.project.root);
    expect(inMain).toMatchObject({ code: 0 });
    expect(inMain.output).toContain('of the main checkout');
    expect(inMain.output).not.toContain('of the story');
  },
);

const SERVER = `const assert = require('node:assert');
const { join } = require('node:path');
const { test } = require('node:test');
const express = require('express');

const answer = (app, path) =>
  new Promise((resolve, reject) => {
    const server = app.listen(0, '127.0.0.1', async () => {
      try {
        const got = await fetch('http://127.0.0.1:' + server.address().port + path);
        resolve([got.status, await got.text()]);
      } catch (error) {
        reject(error);
      } finally {
        server.close();
      }
    });
  });

test('a file is served by its whole path', async () => {
  const app = express();
  app.get('/page', (_, response) => response.sendFile(join(__dirname, '../public/page.txt')));
  assert.deepEqual(await answer(app, '/page'), [200, 'a page\\n']);
});

test('a folder is served', async () => {
  const app = express().use(express.static(join(__dirname, '../public')));
  assert.deepEqual(await answer(app, '/page.txt'), [200, 'a page\\n']);
});
`;

const EXPRESS: PackageOptions = {
  manifest: { scripts: { test: 'node --test' }, dependencies: { express: '5.3.0' } },
  files: { 'public/page.txt': 'a page\n', 'test/server.test.js': SERVER },
  added: [
    'test/added.test.js',
    `require('node:test').test('of the story', () => { require('express'); });\n`,
  ],
  install: true,
  lock: true,
};

test('a server of static files works in the worktree', PATIENCE, async () => {
  using it = await createStoryBeside(EXPRESS);
  expect(await it.test(it.worktree)).toMatchObject({ code: 0 });
  expect((await it.test(it.project.root)).output).not.toContain('of the story');
});

test(
  'below a hidden folder the same server refuses: why worktrees left .saga',
  PATIENCE,
  async () => {
    using it = await createStoryBeside({ ...EXPRESS, folder: '.saga/worktrees' });
    const { code, output } = await it.test(it.worktree);
    expect(code).toBe(1);
    expect(output).toContain('404');
  },
);
