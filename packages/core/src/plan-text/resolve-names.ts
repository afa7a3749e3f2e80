import { deriveId } from '@saga-ai/types/plan/ids';
import { findNearest } from '@saga-ai/types/words/nearest';
import type { Slip } from './read-body.ts';

interface Sibling {
  id: string;
  title: string;
}

/** Tables of siblings by name. All stories of a large plan share one table. */
const TABLES = new WeakMap<readonly Sibling[], Map<string, string>>();

function tableOf(siblings: readonly Sibling[]): Map<string, string> {
  const known = TABLES.get(siblings);
  if (known) return known;
  const table = new Map<string, string>();
  for (const { id, title } of siblings) table.set(title.trim().toLowerCase(), id);
  for (const { id, title } of siblings) table.set(deriveId(title) || id, id);
  for (const { id } of siblings) table.set(id, id);
  TABLES.set(siblings, table);
  return table;
}

/** Turns the ids or titles behind `after:` into ids of siblings. */
export function resolveNames(
  names: unknown,
  siblings: readonly Sibling[],
  line: number,
  kind: 'story' | 'task',
  slips: Slip[],
): unknown {
  if (!Array.isArray(names)) return names;
  const table = tableOf(siblings);
  return names.map((name: unknown) => {
    if (typeof name !== 'string') return name;
    const found =
      table.get(name) ?? table.get(name.trim().toLowerCase()) ?? table.get(deriveId(name));
    if (found !== undefined) return found;
    const near = findNearest(name, table.keys());
    const beside = kind === 'story' ? 'of this epic' : 'of this story';
    slips.push({
      line,
      message: `there is no ${kind} ${JSON.stringify(name)} ${beside}`,
      hint:
        near === undefined
          ? `after: names the ${kind === 'story' ? 'stories' : 'tasks'} ${beside} that come first, by id or title.`
          : `Did you mean ${table.get(near)}?`,
    });
    return name;
  });
}
