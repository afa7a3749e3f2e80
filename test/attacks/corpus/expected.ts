import { readFileSync, writeFileSync } from 'node:fs';
import { MODES, type Mode, type Verdict } from './attack.ts';

/** The verdict of each attack in each mode, as the last update of the table saw it. */
export type Table = Record<string, Partial<Record<Mode, Verdict>>>;

const FILE = new URL('./expected.json', import.meta.url);

export const loadTable = (): Table => JSON.parse(readFileSync(FILE, 'utf8')) as Table;

export function saveTable(table: Table): void {
  writeFileSync(FILE, `${JSON.stringify(table, null, 2)}\n`);
}

/**
 * Builds the table after an update: what was seen replaces what stood there. Attacks that are gone
 * leave the table. Throws if an attack would become SILENT, unless that is allowed.
 */
export function mergeTable(
  old: Table,
  seen: Table,
  { ids, maySilence }: { ids: readonly string[]; maySilence: boolean },
): Table {
  const worse = Object.entries(seen).flatMap(([id, verdicts]) =>
    MODES.filter((mode) => verdicts[mode] === 'SILENT' && old[id]?.[mode] !== 'SILENT').map(
      (mode) => `${id} (${mode})`,
    ),
  );
  if (worse.length > 0 && !maySilence) {
    throw new Error(
      `These attacks would become SILENT: ${worse.join(', ')}. Close the hole. If the table must say so, use SAGA_ATTACKS=update,silent.`,
    );
  }
  return Object.fromEntries(ids.map((id) => [id, { ...old[id], ...seen[id] }]));
}
