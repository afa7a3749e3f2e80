import { globSync, readFileSync } from 'node:fs';
import { LAYOUT, PACKAGES } from './architecture-layout.ts';
import { FILE_ROOMS } from './architecture-tables.ts';

/** All sources and all tests, with their texts, and who imports whom: what the architecture is held against. */
export const sources = globSync('packages/*/src/**/*.{ts,tsx}')
  .filter((path) => !path.includes('.test.'))
  .map((path) => ({ path, text: readFileSync(path, 'utf8'), room: roomOf(path) }));
export const tests = globSync(['packages/*/src/**/*.test.ts', 'test/**/*.ts'])
  .filter((path) => !path.includes('node_modules'))
  .map((path) => ({ path, text: readFileSync(path, 'utf8') }));

export function roomOf(path: string): string {
  const inside = nameOf(path);
  return FILE_ROOMS.includes(inside) ? inside : inside.split('/').slice(0, -1).join('/');
}

/** Static, dynamic, type and side-effect imports alike: a type that points back is a wall with a hole. */
export function importsOf(path: string, text: string): string[] {
  const found = text.matchAll(/(?:\bfrom|\bimport\(|^import)\s*'([^']+)'/gm);
  return [...found].flatMap(([, target = '']) => {
    if (target.startsWith('@saga-ai/'))
      return `packages/${target.slice(9).replace('/', '/src/')}.ts`;
    if (!target.startsWith('.')) return [];
    return new URL(target, `file:///${path}`).pathname.slice(1);
  });
}

/** A command that is loaded when it is called may ask the table of commands; that closes no circle. */
export function importsAtOnce(path: string, text: string): string[] {
  return importsOf(path, text.replaceAll(/\bimport\('[^']+'\)/g, ''));
}

/** Returns every circle that it meets, as `a → b → a`. */
export function findCircles(imports: ReadonlyMap<string, Iterable<string>>): string[] {
  const finished = new Set<string>();
  const circles: string[] = [];
  const visit = (name: string, trail: readonly string[]) => {
    if (trail.includes(name)) {
      circles.push([...trail.slice(trail.indexOf(name)), name].join(' → '));
      return;
    }
    if (finished.has(name)) return;
    for (const target of imports.get(name) ?? []) visit(target, [...trail, name]);
    finished.add(name);
  };
  for (const name of imports.keys()) visit(name, []);
  return [...new Set(circles)];
}

/** `core/git/git` for `packages/core/src/git/git.ts`. */
export function nameOf(path: string): string {
  return path
    .replace(/^packages\//, '')
    .replace('/src/', '/')
    .replace(/\.tsx?$/, '');
}

const HOMES = new Map(
  LAYOUT.flatMap(([folder, height, takes]) =>
    takes.split(' ').flatMap((it) => {
      const [, above, names] = /^(.*)\/\{(.*)\}$/.exec(it) ?? [];
      const found = names === undefined ? [it] : names.split(',').map((name) => `${above}/${name}`);
      return found.map((name) => [name, { folder, height }] as const);
    }),
  ),
);

/** Where a source will lie; undefined if the layout has no place for it. */
export function homeOf(path: string): { folder: string; height: number } | undefined {
  const name = nameOf(path);
  return HOMES.get(name) ?? HOMES.get(`${name.slice(0, name.lastIndexOf('/'))}/*`);
}

/** Whether a file of the first folder may import one of the second. */
export function pointsDown(from: { folder: string; height: number }, to: typeof from): boolean {
  const rank = (folder: string) =>
    PACKAGES.findIndex((names) => names.includes(folder.split('/')[0] ?? ''));
  if (from.folder === to.folder) return true;
  return to.height < from.height || rank(to.folder) < rank(from.folder);
}
