import { statSync } from 'node:fs';
import { type Paths, sessionRecordFile } from '../project/paths.ts';

/**
 * Returns when a session died that wrote no end; undefined if its record is gone. A worker or scheduler writes its
 * record at every step, so the last change of the record is close to its death.
 */
export function findDeath(paths: Paths, session: string): string | undefined {
  const record = statSync(sessionRecordFile(paths, session), { throwIfNoEntry: false });
  return record?.mtime.toISOString();
}
