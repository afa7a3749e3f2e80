import { createHash } from 'node:crypto';
import {
  describeProcess,
  formatIdentity,
  isProcessGone,
  type ProcessIdentity,
  parseIdentity,
} from './identity.ts';
import { openProcessTable } from './table.ts';

/** Every process of a run carries this variable with the run’s id, so that none is left behind unseen. */
export const RUN_VARIABLE = 'SAGA_RUN_ID';

/** Whatever must not outlive a worker carries this variable: client, setup, verify, git on the network. */
export const WORKER_VARIABLE = 'SAGA_WORKER_ID';

/** Which worker a process belongs to: the worker's process, its project and its session. */
export interface WorkerMark {
  worker: ProcessIdentity;
  /** A short name of the project's folder. */
  project: string;
  session: string;
}

/** The mark of a worker in this process. It holds no blank, as `ps` demands. */
export function createWorkerMark(root: string, session: string): string {
  return formatIdentity(describeProcess(process.pid), `${nameProject(root)}+${session}`);
}

export function parseWorkerMark(text: string): WorkerMark | undefined {
  const found = parseIdentity(text);
  const [project, session] = found?.nonce.split('+') ?? [];
  if (!found || !project || !session) return undefined;
  const { nonce: _, ...worker } = found;
  return { worker, project, session };
}

export function nameProject(root: string): string {
  return createHash('sha256').update(root).digest('hex').slice(0, 12);
}

export interface Orphan extends WorkerMark {
  pid: number;
  /** What runs there, as the system calls it. */
  name: string;
}

/** Processes of a project that outlived their worker, which is provably gone. */
export function listOrphans(root: string): Orphan[] {
  const table = openProcessTable();
  const project = nameProject(root);
  return table.listCarriers(WORKER_VARIABLE).flatMap(({ pid, value }) => {
    const mark = parseWorkerMark(value);
    if (mark?.project !== project || !isProcessGone(mark.worker)) return [];
    return [{ ...mark, pid, name: table.find(pid)?.name ?? '?' }];
  });
}
