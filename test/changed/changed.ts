import { spawnSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { runSteps, testStep } from '../../scripts/run-steps.ts';
import { importsOf, sources, tests } from '../architecture-sources.ts';
import { chooseTests, type SourceFile } from './choose-tests.ts';

/**
 * `npm run test:changed`: the tests that the change since the base can touch, nearest first, for about a minute.
 * `-- --all` takes all of them; `-- --base <commit>` compares with another commit than that of origin's main branch.
 */
const LIMIT_MS = 60_000;
/** For a test that was not run here before. */
const GUESS_MS = { packages: 1500, 'test/e2e': 6000, test: 30_000 };

const { values } = parseArgs({
  options: { all: { type: 'boolean', default: false }, base: { type: 'string' } },
});
const base = values.base ?? findBase();
const changed = findChanged(base);
if (changed.length === 0) stop(`Nothing changed since ${base}.`, 0);

const known = readDurations();
const files = [...sources, ...tests].map(
  ({ path, text }): SourceFile => ({
    path,
    imports: importsOf(path, text),
    quoted: new Set([...text.matchAll(/'([a-z][a-z-]*)'/g)].map(([, word = '']) => word)),
  }),
);
const { run, left, unknown } = chooseTests(files, changed, {
  limitMs: values.all ? Number.POSITIVE_INFINITY : LIMIT_MS,
  msOf: (path) => known.get(path) ?? guess(path),
});

print(
  `${count(changed.length, 'file')} changed since ${base}: ${count(run.length, 'test file')} to run`,
);
if (unknown.length > 0) {
  print(
    `no import leads to ${unknown.slice(0, 5).join(', ')}${unknown.length > 5 ? ' …' : ''}: npm run check`,
  );
}
if (left.length > 0) printLeft(left);
if (run.length > 0) runSteps([[...testStep([]), ...run]]);

function printLeft(paths: readonly string[]): void {
  const folders = Map.groupBy(paths, (path) => path.split('/').slice(0, 2).join('/'));
  print(`left out, since it would take longer (npm run test:changed -- --all):`);
  for (const [folder, some] of folders) print(`  ${String(some.length).padStart(4)}  ${folder}`);
}

function findBase(): string {
  for (const name of ['origin/HEAD', 'origin/main', 'main']) {
    const { status, stdout } = git('merge-base', 'HEAD', name);
    if (status === 0) return stdout.trim().slice(0, 12);
  }
  return 'HEAD';
}

function findChanged(since: string): string[] {
  const { status, stdout, stderr } = git('diff', '--name-only', since);
  if (status !== 0)
    stop(`${stderr.trim()}\nName a commit: npm run test:changed -- --base <commit>`, 1);
  const added = git('ls-files', '-o', '--exclude-standard').stdout;
  return `${stdout}${added}`.split('\n').filter((it) => it !== '');
}

/** What vitest noted when it ran these files here. */
function readDurations(): Map<string, number> {
  const found = new Map<string, number>();
  for (const file of globSync('node_modules/.vite/vitest/*/results.json')) {
    const { projects = {} } = JSON.parse(readFileSync(file, 'utf8')) as {
      projects?: Record<string, { files: Record<string, { duration: number }> }>;
    };
    for (const { files: noted } of Object.values(projects)) {
      for (const [path, { duration }] of Object.entries(noted)) found.set(path, duration);
    }
  }
  return found;
}

function guess(path: string): number {
  const [, ms] = Object.entries(GUESS_MS).find(([folder]) => path.startsWith(`${folder}/`)) ?? [];
  return ms ?? GUESS_MS.test;
}

function git(...args: string[]) {
  return spawnSync('git', args, { encoding: 'utf8' });
}

function count(number: number, what: string): string {
  return `${number} ${what}${number === 1 ? '' : 's'}`;
}

function stop(text: string, code: number): never {
  print(text);
  process.exit(code);
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
