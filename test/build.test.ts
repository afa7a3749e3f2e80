import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import {
  digestSources,
  isFresh,
  PAGES,
  replaceFolder,
  type Target,
} from '../scripts/build/target.ts';
import { type Ended, runProgram } from './rig/programs/run-program.ts';
import { createTempFolder } from './rig/project/temp-folder.ts';

const ROOT = join(import.meta.dirname, '..');
const TARGET: Target = { folder: 'dist', sources: ['lock.yaml', 'src'] };

/** A folder with sources, and what was "built" of them: their text, joined. */
function createTree() {
  const temp = createTempFolder();
  const put = (path: string, text: string) => {
    mkdirSync(dirname(join(temp.path, path)), { recursive: true });
    writeFileSync(join(temp.path, path), text);
  };
  const digest = (...options: string[]) => digestSources(temp.path, TARGET, options);
  put('lock.yaml', '1');
  put('src/main.ts', 'one');
  put('src/deep/part.ts', 'two');
  const build = (files: Record<string, string>) => {
    for (const [name, text] of Object.entries(files)) put(`new/${name}`, text);
    replaceFolder(temp.path, TARGET, join(temp.path, 'new'), digest());
  };
  build({ 'cli.cjs': 'one two', 'pages/old.js': 'x' });
  return {
    ...{ put, build, path: temp.path },
    isFresh: (...options: string[]) => isFresh(temp.path, TARGET, digest(...options)),
    [Symbol.dispose]: temp[Symbol.dispose],
  };
}

test('what was built is fresh until a source is another one', () => {
  using it = createTree();
  expect(it.isFresh()).toBe(true);
  it.put('src/deep/part.ts', 'TWO');
  expect(it.isFresh()).toBe(false);
  it.put('src/deep/part.ts', 'two');
  expect(it.isFresh()).toBe(true);
  it.put('src/more.ts', '');
  expect(it.isFresh()).toBe(false);
  rmSync(join(it.path, 'src/more.ts'));
  renameSync(join(it.path, 'src/main.ts'), join(it.path, 'src/moved.ts'));
  expect(it.isFresh()).toBe(false);
});

test('a source that is older than what was built of another one is seen', () => {
  using it = createTree();
  it.put('src/main.ts', 'ONE');
  utimesSync(join(it.path, 'src/main.ts'), 0, 0);
  expect(it.isFresh()).toBe(false);
});

test('a new lock file and another way to build count; a test and a file that was only touched do not', () => {
  using it = createTree();
  it.put('src/main.test.ts', 'test');
  utimesSync(join(it.path, 'src/main.ts'), 0, 0);
  expect(it.isFresh()).toBe(true);
  expect(it.isFresh('--source-map')).toBe(false);
  it.put('lock.yaml', '2');
  expect(it.isFresh()).toBe(false);
});

test('a result that is gone, or is not what was built, is built again', () => {
  using it = createTree();
  it.put('dist/cli.cjs', 'changed by hand');
  expect(it.isFresh()).toBe(false);
  it.build({ 'cli.cjs': 'one two' });
  expect(existsSync(join(it.path, 'dist/pages/old.js'))).toBe(false);
  expect(it.isFresh()).toBe(true);
  rmSync(join(it.path, 'dist'), { recursive: true });
  expect(it.isFresh()).toBe(false);
});

/** This repository's sources, with what is built of them and the packages they need. */
function copyTree() {
  const temp = createTempFolder();
  const tree = temp.path;
  const files = ['package.json', 'pnpm-lock.yaml', 'tsconfig.json', 'vitest.config.ts', 'scripts'];
  const isCopied = (path: string) => !/\.test\.tsx?$|\/\.(dist|vite)-[^/]*$/.test(path);
  for (const path of [...files, 'packages', 'test']) {
    const options = { recursive: true, verbatimSymlinks: true, filter: isCopied };
    cpSync(join(ROOT, path), join(tree, path), options);
  }
  mkdirSync(join(tree, 'node_modules'));
  for (const name of readdirSync(join(ROOT, 'node_modules'))) {
    if (/^\.(pnpm|bin)$|^[^.]/.test(name)) {
      symlinkSync(join(ROOT, 'node_modules', name), join(tree, 'node_modules', name));
    }
  }
  return { tree, [Symbol.dispose]: temp[Symbol.dispose] };
}

const SHOWS_THE_HELP = `
import { execFileSync } from 'node:child_process';
import { test } from 'vitest';
test('help', () => {
  console.log(execFileSync(process.execPath, ['packages/cli/dist/saga.cjs', 'help'], { encoding: 'utf8' }));
});
`;

test('a message that changes in a source is the one that a test of the command sees; a source that cannot be built ends the run', async () => {
  using it = copyTree();
  const { tree } = it;
  writeFileSync(join(tree, 'test/help.test.ts'), SHOWS_THE_HELP);
  const runTests = (): Promise<Ended> =>
    runProgram('node_modules/vitest/vitest.mjs', ['run', 'test/help.test.ts'], {
      cwd: tree,
      env: { NO_COLOR: '1' },
    });
  const help = join(tree, 'packages/cli/src/help.ts');
  const source = readFileSync(help, 'utf8');
  const pagesAt = () => statSync(join(tree, PAGES.folder, '.built.json')).mtimeMs;
  const builtPages = pagesAt();

  writeFileSync(help, source.replaceAll('Usage: saga <command>', 'Usage: saga COMMAND'));
  // Two runs at the same time do not hinder each other.
  for (const changed of await Promise.all([runTests(), runTests()])) {
    expect(changed).toMatchObject({ code: 0, stdout: expect.stringContaining('saga COMMAND') });
  }
  expect(pagesAt()).toBe(builtPages);

  const unchanged = await runTests();
  expect(unchanged).toMatchObject({ code: 0, stderr: '' });

  writeFileSync(help, `${source}\nconst = 1;`);
  const broken = await runTests();
  expect(broken.code).toBe(1);
  expect(broken.stderr).toMatch(
    /^set-up: .*\nThe build failed: packages\/cli\/src\/help\.ts:\d+:6: ERROR: .*\n$/,
  );
  expect(broken.stdout).not.toContain('Usage');
});
