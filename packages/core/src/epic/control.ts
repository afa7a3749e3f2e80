import { dirname } from 'node:path';
import { EpicControl } from '@saga-ai/types/run/epic-control';
import { ensureIgnoredFolder, writeFileAtomic } from '../files/atomic-write.ts';
import { ensureFolder } from '../files/ensure-folder.ts';
import { readJsonFile } from '../files/json-file.ts';
import { formatJson } from '../files/json-text.ts';
import { epicControlFile, type Paths } from '../project/paths.ts';

export function loadControl(paths: Paths, epicId: string): EpicControl {
  const result = readJsonFile(paths.root, epicControlFile(paths, epicId), EpicControl);
  return 'value' in result ? result.value : { isPaused: false };
}

export function saveControl(
  paths: Paths,
  epicId: string,
  changes: Partial<EpicControl>,
): EpicControl {
  const control = { ...loadControl(paths, epicId), ...changes };
  const file = epicControlFile(paths, epicId);
  ensureIgnoredFolder(paths.runs);
  ensureFolder(dirname(file));
  writeFileAtomic(file, formatJson(control));
  return control;
}
