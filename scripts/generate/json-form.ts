import { keysOf, nameObject } from './json-shapes.ts';
import { findItems, findWords } from './json-words.ts';

/** Whatever stands there: a user's own, or a setting of any type. */
const OPEN_KEYS: Readonly<Record<string, string>> = {
  metadata: 'object',
  value: 'any',
  children: '[the same]',
};

interface Place {
  command: string;
  key: string;
  indent: string;
}

/** The form of what a command printed: names of known shapes, else keys and types. */
export function formatForm(
  command: string,
  values: readonly unknown[],
  place: Place = { command, key: '', indent: '' },
): string {
  const isObject = (value: unknown) => value !== null && typeof value === 'object';
  const lists = values.filter(Array.isArray);
  const plain = values.filter((it) => isObject(it) && !Array.isArray(it)) as Fields[];
  const kinds = new Set(values.filter((it) => !isObject(it)).map(nameKind));
  const words = kinds.has('string') ? findWords(command, place.key) : undefined;
  return [
    ...(plain.length > 0 ? [formatObjects(plain, place)] : []),
    ...(lists.length > 0 ? [`[${formatItems(lists.flat(), place)}]`] : []),
    ...[...kinds]
      .sort((a, b) => Number(a === 'null') - Number(b === 'null'))
      .map((kind) =>
        words && kind === 'string' ? words.map((it) => `"${it}"`).join(' | ') : kind,
      ),
  ].join(' | ');
}

type Fields = Record<string, unknown>;

const nameKind = (value: unknown) => (value === null ? 'null' : typeof value);

function formatItems(items: readonly unknown[], place: Place): string {
  if (items.length === 0) return findItems(place.key);
  return formatForm(place.command, items.flatMap(withDescendants), place);
}

/** All nodes of a tree have one form. */
function withDescendants(item: unknown): unknown[] {
  const children = (item as { children?: unknown } | null)?.children;
  const isNode = Array.isArray(children) && children.every((it) => 'children' in Object(it));
  return isNode ? [item, ...children.flatMap(withDescendants)] : [item];
}

function formatObjects(objects: readonly Fields[], { command, indent }: Place): string {
  const names = nameAll(objects);
  const known = new Set(names.flatMap(keysOf));
  const all = new Set(objects.flatMap((it) => Object.keys(it)));
  const keys = [...all].filter((it) => !known.has(it));
  if (names.length === 1 && keys.length === 0) return names[0] ?? '';
  const inner = `${indent}  `;
  const fields = keys.map((key) => {
    const having = objects.filter((it) => key in it);
    const inside = having.map((it) => it[key]);
    const mark = having.length < objects.length ? '?' : '';
    const form = OPEN_KEYS[key] ?? formatForm(command, inside, { command, key, indent: inner });
    return `${inner}"${key}"${mark}: ${key === 'version' ? String(inside[0]) : form}`;
  });
  const spread = names.map((name) => `${inner}...${name}`);
  return `{\n${[...spread, ...fields].join(',\n')}\n${indent}}`;
}

/** Only what all of them fit is said of all. */
function nameAll(objects: readonly object[]): string[] {
  const [first = [], ...rest] = objects.map(nameObject);
  return first.filter((name) => rest.every((names) => names.includes(name)));
}
