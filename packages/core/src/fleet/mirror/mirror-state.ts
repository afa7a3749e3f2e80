import { join } from 'node:path';
import { AnyObject } from '@saga-ai/types/any-object';
import { ensureIgnoredFolder, replacePrivately } from '../../files/atomic-write.ts';
import { ensureFolder } from '../../files/ensure-folder.ts';
import { readJsonFile } from '../../files/json-file.ts';
import { formatJson } from '../../files/json-text.ts';
import { fleetFolder, type Paths } from '../../project/paths.ts';

/** How far this machine has read the news of one repository on one engine. */
export interface MirrorState {
  /** The position of the last news that was written down. */
  position: number;
  /** Sessions whose first lines the engine had forgotten already, with the number of those lines. */
  skipped: Readonly<Record<string, number>>;
  /** When branches were fetched last, in milliseconds since the epoch. */
  fetchedAt: number;
}

const fileOf = (paths: Paths) => join(fleetFolder(paths), 'state.json');

export function loadMirrorState(paths: Paths): MirrorState {
  const read = readJsonFile(paths.root, fileOf(paths), AnyObject);
  const { position, skipped, fetchedAt } = (
    'value' in read ? read.value : {}
  ) as Partial<MirrorState>;
  return {
    position: typeof position === 'number' ? position : 0,
    fetchedAt: typeof fetchedAt === 'number' ? fetchedAt : 0,
    skipped: typeof skipped === 'object' && skipped !== null ? skipped : {},
  };
}

export function saveMirrorState(paths: Paths, state: MirrorState): void {
  ensureMirrorFolder(paths);
  replacePrivately(fileOf(paths), formatJson(state));
}

/** Output files contain what models read and wrote, so only their owner may read them. */
export function ensureMirrorFolder(paths: Paths): string {
  ensureIgnoredFolder(paths.runs);
  ensureFolder(fleetFolder(paths), 0o700);
  return fleetFolder(paths);
}
