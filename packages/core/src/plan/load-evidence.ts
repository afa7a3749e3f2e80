import { existsSync } from 'node:fs';
import { Evidence } from '@saga-ai/types/run/evidence';
import { readJsonFile } from '../files/json-file.ts';
import { evidenceFile, type Paths } from '../project/paths.ts';

/**
 * Loads the evidence of a story's last gate. Returns undefined if there is none or its file cannot be
 * read.
 */
export function loadEvidence(paths: Paths, home: string): Evidence | undefined {
  const file = evidenceFile(home);
  if (!existsSync(file)) return undefined;
  const result = readJsonFile(paths.root, file, Evidence);
  return 'value' in result ? result.value : undefined;
}
