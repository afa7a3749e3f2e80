import { statSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { SessionRecord } from '@saga-ai/types/run/session-record';
import { SagaError } from '../errors.ts';
import { isElsewhere, isProcessGone, isWorkerGone } from '../processes/identity.ts';
import { endWorkerPrograms } from '../processes/stop-program.ts';

/** How long a worker that stops may write no event before it is killed. */
const PATIENCE_MS = 20_000;
/** A worker that stops and keeps writing events is killed after this many times `PATIENCE_MS`. */
const MOST_PATIENCE = 30;

export type Stopped = 'stopped' | 'killed' | 'was-over';

/**
 * Asks a worker to stop: it ends its run, commits and pushes, updates its record and exits. That may take long on a
 * slow machine, or for an epic with many stories, so this waits while the worker writes events. If it falls silent,
 * the worker and everything it started is killed.
 */
export async function stopSession(
  record: SessionRecord,
  { patienceMs = PATIENCE_MS }: { patienceMs?: number } = {},
): Promise<Stopped> {
  if (record.endedAt !== undefined || isWorkerGone(record)) return 'was-over';
  // On a shared disk, the number may belong to any process here.
  if (record.machine !== undefined || isElsewhere(record)) throw onAnotherMachine(record);
  signal(record.pid, 'SIGTERM');
  const begun = performance.now();
  let heard = { size: sizeOf(record.outputFile), at: begun };
  for (let now = begun; now - heard.at < patienceMs; now = performance.now()) {
    if (isProcessGone(record)) return 'stopped';
    await sleep(50);
    const size = sizeOf(record.outputFile);
    const mayTalk = now - begun < MOST_PATIENCE * patienceMs;
    if (size !== heard.size && mayTalk) heard = { size, at: performance.now() };
  }
  signal(record.pid, 'SIGKILL');
  await endWorkerPrograms(record);
  return 'killed';
}

/** The size of an output file; 0 if it is gone. */
function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}

function onAnotherMachine({ story, host, pid, machine }: SessionRecord): SagaError {
  if (machine !== undefined) {
    return new SagaError(
      'session-failed',
      `The worker of ${story} runs on ${machine}, a machine of the fleet.`,
      `Stop it through the fleet: saga stop ${story}`,
    );
  }
  return new SagaError(
    'session-failed',
    `The worker of ${story} runs on ${host} (process ${pid}), not on this machine.`,
    `Stop it there: saga stop ${story}. If that machine is gone: saga stop --forget ${story}`,
  );
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // The process has just ended.
  }
}
