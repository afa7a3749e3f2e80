import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { PURE_FILES, PURE_ROOMS } from './architecture-pure.ts';
import { importsOf, roomOf, sources } from './architecture-sources.ts';

/** ARCHITECTURE.md shows the house as it is: every folder stands in its picture, and every path leads somewhere. */
const ROOT = resolve(import.meta.dirname, '..');
const PAGE = readFileSync(resolve(ROOT, 'ARCHITECTURE.md'), 'utf8');
const PICTURE = /```\n([\s\S]*?)```/.exec(PAGE)?.[1] ?? '';
const PROSE = PAGE.replaceAll(/```[\s\S]*?```/g, '');

const files = globSync(['packages/*/src/**/*', 'test/**/*'], { cwd: ROOT, withFileTypes: true })
  .filter((entry) => entry.isFile() && !entry.parentPath.includes('node_modules'))
  .map((entry) => `${entry.parentPath}/${entry.name}`.slice(ROOT.length + 1));
const folders = [
  ...new Set(files.filter((path) => /\.tsx?$/.test(path)).map((path) => dirname(path))),
];

test('every folder with sources occurs exactly once in the picture', () => {
  const drawn = listDrawn(PICTURE);
  const timesOf = (folder: string) => drawn.filter((it) => it === folder).length;
  expect(folders.filter((folder) => timesOf(folder) !== 1)).toEqual([]);
});

test('the picture names no folder that does not exist, and none twice', () => {
  const drawn = listDrawn(PICTURE);
  expect(drawn.filter((folder) => !existsSync(resolve(ROOT, folder)))).toEqual([]);
  expect(drawn.filter((folder, i) => drawn.indexOf(folder) !== i)).toEqual([]);
});

test('inside core a room imports rooms that stand above it in the picture, and rooms inside it', () => {
  const order = listDrawn(PICTURE).map((path) =>
    path.replace('packages/', '').replace('/src', '').replace(/\.ts$/, ''),
  );
  const edges = sources.flatMap(({ path, text, room }) =>
    importsOf(path, text).map((target) => ({ room, target: roomOf(target) })),
  );
  const wrong = edges
    .filter(({ room, target }) => room.startsWith('core/') && target.startsWith('core/'))
    .filter(({ room, target }) => target !== room && !target.startsWith(`${room}/`))
    .filter(({ room, target }) => !(order.indexOf(target) < order.indexOf(room)))
    .map(({ room, target }) => `${room} imports ${target}`);
  expect([...new Set(wrong)]).toEqual(['core/overview/live imports core/authoring']);
});

test('every path in the text leads to a file or a folder', () => {
  const known = files.flatMap((path) => {
    const short = path.replace(/^packages\//, '').replace('/src/', '/');
    return [path, short].flatMap((it) => [it, it.replace(/\.tsx?$/, ''), dirname(it)]);
  });
  const ends = new Set(known.flatMap(listEnds));
  const paths = [...PROSE.matchAll(/`([^`\n]+)`/g)].map(([, text = '']) => text).filter(isPath);
  expect(paths.length).toBeGreaterThan(300);
  const lost = paths
    .map((path) => path.replace(/\/$/, ''))
    .filter((path) => !ends.has(path) && !existsSync(resolve(ROOT, path)));
  expect(lost).toEqual([]);
});

test('what is listed as pure exists', () => {
  const rooms = PURE_ROOMS.map((room) => `packages/${room.replace('/', '/src/')}`);
  expect([...PURE_FILES, ...rooms].filter((path) => !existsSync(resolve(ROOT, path)))).toEqual([]);
});

/** All folders and files of the picture, as paths from the root. A word in the text that ends in a slash is a folder inside. */
function listDrawn(picture: string): string[] {
  const above: { indent: number; path: string }[] = [];
  const drawn: string[] = [];
  for (const line of picture.split('\n')) {
    const entry = /^( *)([a-z][\w-]*(?:\/|\.ts))(?: {2,}(.*))?$/.exec(line);
    const [, space = '', name = '', said = ''] = entry ?? [];
    if (entry) {
      while ((above.at(-1)?.indent ?? -1) >= space.length) above.pop();
      const path = [...above.slice(-1).map((it) => it.path), name.replace('/', '')].join('/');
      above.push({ indent: space.length, path });
      drawn.push(path);
    }
    const text = entry ? said : line;
    const inside = text.matchAll(/(?<![\w/.-])((?:[a-z][\w-]*\/)+)(?=[\s,;:)]|$)/g);
    for (const [, inner = ''] of inside) drawn.push(`${above.at(-1)?.path}/${inner.slice(0, -1)}`);
  }
  return drawn.map((path) => path.replace(/^packages\/[^/]+/, '$&/src'));
}

/** `core/git/refs` can be found as such, as `git/refs` and as `refs`. */
function listEnds(path: string): string[] {
  const parts = path.split('/');
  return parts.map((_, i) => parts.slice(i).join('/'));
}

/** `run/guard`, `run-story` and `survey.ts`; no option, no setting, nothing in a person's project. */
function isPath(text: string): boolean {
  return /^(?!\.)[\w./-]+$/.test(text) && /\/|^[a-z]+(-[a-z]+)+$|\.(ts|css|md)$/.test(text);
}
