import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { errorCodeOf } from '../../packages/core/src/errors.ts';

/** A folder that is built, and what it is built from: files, and folders with all that is in them. */
export interface Target {
  folder: string;
  sources: readonly string[];
}

const BUILD = [
  ...['pnpm-lock.yaml', 'tsconfig.json', 'scripts/build', 'scripts/build.ts'],
  'scripts/licences.ts',
];

/** The pages import nothing but each other and the types; a test of the architecture sees to that. */
const PAGE_SOURCES = [
  ...['index.html', 'package.json', 'src/client', 'vite.config.ts'].map(
    (it) => `packages/dashboard/${it}`,
  ),
  ...['package.json', 'src'].map((it) => `packages/types/${it}`),
];
export const PAGES: Target = {
  folder: 'packages/dashboard/dist/client',
  sources: [...BUILD, ...PAGE_SOURCES],
};

/** The command, with the pages in it. */
export const COMMAND: Target = {
  folder: 'packages/cli/dist',
  sources: [
    ...[...BUILD, ...PAGE_SOURCES],
    ...['cli', 'core', 'dashboard', 'engine', 'model', 'types'].flatMap((name) =>
      ['package.json', 'src'].map((it) => `packages/${name}/${it}`),
    ),
  ],
};

/** Lies in the built folder, so that it is gone when that is. */
const STAMP = '.built.json';

/**
 * Says which sources stand in the tree. It goes by what is in them: the times of files say nothing
 * after a checkout.
 */
export function digestSources(root: string, target: Target, options: readonly string[]): string {
  const hash = createHash('sha256').update(options.join(' '));
  const files = target.sources.flatMap((path) => listFiles(root, path));
  for (const file of new Set(files.toSorted())) {
    if (!/\.test\.tsx?$/.test(file))
      hash.update(`\0${file}\0`).update(readFileSync(join(root, file)));
  }
  return hash.digest('hex');
}

/** Whether the folder was built from these sources, and nobody touched it since. */
export function isFresh(root: string, { folder }: Target, sources: string): boolean {
  try {
    const stamp = JSON.parse(readFileSync(join(root, folder, STAMP), 'utf8'));
    return stamp.sources === sources && stamp.result === digestResult(root, folder);
  } catch {
    // Never built, or a build was cut off.
    return false;
  }
}

/**
 * Replaces a built folder, file by file: whoever starts the command meanwhile finds one. What names
 * others comes after them.
 */
export function replaceFolder(root: string, { folder }: Target, built: string, sources: string) {
  const place = join(root, folder);
  rmSync(join(place, STAMP), { force: true });
  const names = listFiles(built, '.').toSorted((a, b) => depthOf(b) - depthOf(a));
  for (const name of names) {
    mkdirSync(dirname(join(place, name)), { recursive: true });
    renameSync(join(built, name), join(place, name));
  }
  const kept = new Set(names);
  for (const name of listFiles(place, '.')) if (!kept.has(name)) rmSync(join(place, name));
  const stamp = { sources, result: digestResult(root, folder) };
  writeFileSync(join(place, STAMP), JSON.stringify(stamp));
}

function digestResult(root: string, folder: string): string {
  const hash = createHash('sha256');
  for (const file of listFiles(join(root, folder), '.').toSorted()) {
    if (file !== STAMP) hash.update(`\0${file}\0`).update(readFileSync(join(root, folder, file)));
  }
  return hash.digest('hex');
}

/** The path itself if it is a file, else all files below it. Paths are below the root. */
function listFiles(root: string, path: string): string[] {
  try {
    return readdirSync(join(root, path), { withFileTypes: true }).flatMap((entry) => {
      const below = join(path, entry.name);
      return entry.isDirectory() ? listFiles(root, below) : [below];
    });
  } catch (error) {
    if (errorCodeOf(error) === 'ENOTDIR') return [path];
    // Not there any more, as a source or as a result.
    if (errorCodeOf(error) === 'ENOENT') return [];
    throw error;
  }
}

const depthOf = (path: string) => path.split('/').length;
