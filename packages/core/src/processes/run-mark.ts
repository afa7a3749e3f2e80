import { createHash } from 'node:crypto';
import {
  describeProcess,
  formatIdentity,
  isProcessGone,
  type ProcessIdentity,
  parseIdentity,
} from './identity.ts';
import { openProcessTable } from './table.ts';
import { WORKER_VARIABLE } from './variables.ts';

/** Which worker a process belongs to: the worker's process, its repository and its session. */
export interface WorkerMark {
  worker: ProcessIdentity;
  /** A short name of the repository's folder. */
  project: string;
  session: string;
}

/**
 * Builds the mark of this process's worker. It contains no blank, because `ps` separates values by
 * blanks.
 */
export function createWorkerMark(repository: string, session: string): string {
  return formatIdentity(describeProcess(process.pid), `${nameProject(repository)}+${session}`);
}

export function parseWorkerMark(text: string): WorkerMark | undefined {
  const found = parseIdentity(text);
  const [project, session] = found?.nonce.split('+') ?? [];
  if (!found || !project || !session) return undefined;
  const { nonce: _, ...worker } = found;
  return { worker, project, session };
}

export function nameProject(repository: string): string {
  return createHash('sha256').update(repository).digest('hex').slice(0, 12);
}

export interface Orphan extends WorkerMark {
  pid: number;
  /** The name of the program, as the system reports it. */
  name: string;
}

/** Lists processes of a repository whose worker has certainly ended. */
export function listOrphans(repository: string): Orphan[] {
  const table = openProcessTable();
  const project = nameProject(repository);
  return table.listCarriers(WORKER_VARIABLE).flatMap(({ pid, value }) => {
    const mark = parseWorkerMark(value);
    if (mark?.project !== project || !isProcessGone(mark.worker)) return [];
    return [{ ...mark, pid, name: table.find(pid)?.name ?? '?' }];
  });
}
