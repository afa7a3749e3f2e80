import { join } from 'node:path';
import { EpicControl } from '@saga-ai/types/run/epic-control';
import { ensureIgnoredFolder, writeFileAtomic } from '../files/atomic-write.ts';
import { ensureFolder } from '../files/ensure-folder.ts';
import { readJsonFile } from '../files/json-file.ts';
import { formatJson } from '../files/json-text.ts';
import type { Paths } from '../project/paths.ts';

/** A scheduler reads it again whenever the file changes. */
export const controlFile = (paths: Paths, epicId: string) =>
  join(paths.runs, 'epics', `${epicId}.json`);

export function loadControl(paths: Paths, epicId: string): EpicControl {
  const result = readJsonFile(paths.root, controlFile(paths, epicId), EpicControl);
  return 'value' in result ? result.value : { isPaused: false };
}

export function saveControl(
  paths: Paths,
  epicId: string,
  changes: Partial<EpicControl>,
): EpicControl {
  const control = { ...loadControl(paths, epicId), ...changes };
  ensureIgnoredFolder(paths.runs);
  ensureFolder(join(paths.runs, 'epics'));
  writeFileAtomic(controlFile(paths, epicId), formatJson(control));
  return control;
}
