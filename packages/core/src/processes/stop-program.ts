import { setTimeout as sleep } from 'node:timers/promises';
import type { StartedProgram } from './run.ts';
import { listOrphans, parseWorkerMark } from './run-mark.ts';
import { listDescendants, openProcessTable } from './table.ts';
import { RUN_VARIABLE, WORKER_VARIABLE } from './variables.ts';

const GRACE_MS = 2500;

/**
 * Ends a program and every process it started: asks, waits, then kills its group. Children of the
 * client's Bash tool have their own sessions, which a signal to the group does not reach; they are
 * found by the run's mark in their environment. Can be called for a program that has ended.
 */
export async function stopProgram(program: StartedProgram, runId: string): Promise<void> {
  if (!program.hasEnded()) {
    program.signal('SIGTERM');
    await waitUntilEnded(program);
    program.signalGroup('SIGKILL');
  }
  await endMarked(runId);
}

async function waitUntilEnded(program: StartedProgram): Promise<void> {
  const timer = new AbortController();
  const grace = sleep(GRACE_MS, undefined, { signal: timer.signal });
  await Promise.race([program.ended, grace]).catch(() => {
    // A program that could not be started counts as ended.
  });
  timer.abort();
  await grace.catch(() => {
    // The wait was aborted on purpose.
  });
}

/** Ends the processes that outlived a run, and returns their number. */
export async function endMarked(runId: string): Promise<number> {
  return endAll(() => findCarriers(RUN_VARIABLE, (value) => value === runId));
}

/** Ends every process that carries the mark of a worker. */
export async function endWorkerPrograms(worker: {
  session: string;
  pid: number;
  started: number;
}): Promise<number> {
  return endAll(() =>
    findCarriers(WORKER_VARIABLE, (value) => {
      const mark = parseWorkerMark(value);
      const { pid, started } = mark?.worker ?? {};
      return mark?.session === worker.session && pid === worker.pid && started === worker.started;
    }),
  );
}

/** Ends the processes of a repository whose worker has ended: of one session, or of all. */
export async function endOrphans(
  repository: string,
  isMeant: (session: string) => boolean = () => true,
): Promise<number> {
  return endAll(() =>
    listOrphans(repository)
      .filter((it) => isMeant(it.session))
      .map((it) => it.pid),
  );
}

/** Asks the processes to end, then kills those that did not, and any they started meanwhile. */
async function endAll(find: () => number[]): Promise<number> {
  const ended = new Set<number>();
  // Killing one process may let another start. A few rounds are enough, and they are bounded.
  for (let round = 0; round < 5; round++) {
    const pids = find();
    if (pids.length === 0) break;
    for (const pid of pids) {
      ended.add(pid);
      kill(pid, round === 0 ? 'SIGTERM' : 'SIGKILL');
    }
    for (let i = 0; i < 10 && find().length > 0; i++) await sleep(20);
  }
  return ended.size;
}

/**
 * Finds the processes that carry a variable, and their descendants: some systems hide the environment
 * of their own programs.
 */
function findCarriers(variable: string, fits: (value: string) => boolean): number[] {
  const table = openProcessTable();
  const carriers = table.listCarriers(variable).filter(({ value }) => fits(value));
  if (carriers.length === 0) return [];
  const all = listDescendants(
    table,
    carriers.map(({ pid }) => pid),
  );
  return all.filter((pid) => pid !== process.pid && table.find(pid)?.ended === false);
}

function kill(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // The process has just ended.
  }
}
