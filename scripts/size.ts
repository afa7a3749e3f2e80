import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { COMMANDS } from '../packages/cli/src/command-table.ts';
import { CONFIG_KEYS } from '../packages/types/src/config.ts';
import { EVENTS } from '../packages/types/src/run/event.ts';
import { POINTS_UP } from '../test/architecture-layout.ts';
import { importsOf } from '../test/architecture-sources.ts';

/** `npm run size [-- --json]`: how much there is to know. Tests do not count, but for their own row. */
const paths = execFileSync('git', ['ls-files'], { encoding: 'utf8' }).trim().split('\n');
const read = (path: string) => readFileSync(path, 'utf8');
const linesOf = (some: readonly string[]) =>
  some.reduce((sum, path) => sum + read(path).split('\n').length - 1, 0);
const wordsOf = (some: readonly string[]) =>
  some.reduce((sum, path) => sum + read(path).split(/\s+/).filter(Boolean).length, 0);
const folderOf = (path: string) => path.slice(0, path.lastIndexOf('/'));

const sources = paths.filter(
  (path) => /^packages\/[^/]+\/src\/.*\.tsx?$/.test(path) && !/\.test\.tsx?$/.test(path),
);
const tests = paths.filter((path) => /\.test\.tsx?$|^test\/.*\.ts$/.test(path));
const markdown = paths.filter((path) => path.endsWith('.md') && !path.includes('/src/'));
const folders = [...Map.groupBy(sources, folderOf)].sort((a, b) => b[1].length - a[1].length);
const importersOf = (target: string) =>
  sources.filter((path) => importsOf(path, read(path)).includes(target)).length;

/** A verb is loaded when it is called: `saga task claim`. */
const verbs = sources
  .filter((path) => path.startsWith('packages/cli/src/commands/'))
  .flatMap((path) => read(path).match(/\(\) => import\('\.{1,2}\//g) ?? []);

const size = {
  files: sources.length,
  lines: linesOf(sources),
  'lines of core': linesOf(sources.filter((path) => path.startsWith('packages/core/'))),
  'lines of tests': linesOf(tests),
  folders: folders.length,
  'files in the largest folder': folders[0]?.[1].length ?? 0,
  commands: COMMANDS.length,
  verbs: verbs.length,
  settings: CONFIG_KEYS.length,
  events: Object.keys(EVENTS).length,
  'rows of the glossary': read('GLOSSARY.md').match(/^\| /gm)?.length ?? 0,
  'Markdown files': markdown.length,
  words: wordsOf(markdown),
  'imports that point up': Object.values(POINTS_UP).flat().length,
  'importers of worker/context': importersOf('packages/core/src/worker/context.ts'),
};

if (process.argv.includes('--json')) process.stdout.write(`${JSON.stringify(size, null, 2)}\n`);
else {
  for (const [name, count] of Object.entries(size)) {
    process.stdout.write(`${name.padEnd(30)}${String(count).padStart(8)}\n`);
  }
}
