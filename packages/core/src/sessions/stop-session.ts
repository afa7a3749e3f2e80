import { setTimeout as sleep } from 'node:timers/promises';
import type { SessionRecord } from '@saga-ai/types/run/session-record';
import { SagaError } from '../errors.ts';
import { isElsewhere, isProcessGone, isWorkerGone } from '../processes/identity.ts';
import { endWorkerPrograms } from '../processes/stop-program.ts';

const PATIENCE_MS = 20_000;

export type Stopped = 'stopped' | 'killed' | 'was-over';

/**
 * Asks a worker to stop: it ends its run, updates its record and exits. If it does not, the worker and
 * everything it started is killed.
 */
export async function stopSession(
  record: SessionRecord,
  { patienceMs = PATIENCE_MS }: { patienceMs?: number } = {},
): Promise<Stopped> {
  if (record.endedAt !== undefined || isWorkerGone(record)) return 'was-over';
  // On a shared disk, the number may belong to any process here.
  if (record.machine !== undefined || isElsewhere(record)) throw onAnotherMachine(record);
  signal(record.pid, 'SIGTERM');
  for (const end = Date.now() + patienceMs; Date.now() < end; ) {
    if (isProcessGone(record)) return 'stopped';
    await sleep(50);
  }
  signal(record.pid, 'SIGKILL');
  await endWorkerPrograms(record);
  return 'killed';
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
