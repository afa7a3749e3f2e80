import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { StartedProgram } from './run.ts';
import { RUN_VARIABLE } from './run-mark.ts';

const GRACE_MS = 2500;

/**
 * Ends a program and all it started: asks, waits, then kills its group. Children of the client's
 * Bash tool lead sessions of their own, which no signal to the group reaches; they carry the run's
 * mark in their environment and are found by it. May be called for one that has ended.
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
    // One that could not be started has ended too.
  });
  timer.abort();
  await grace.catch(() => {
    // Cut short on purpose.
  });
}

/** Processes of a run that outlived it. */
export async function endMarked(runId: string): Promise<number> {
  let found = 0;
  // Killing one may let another start; a few rounds are enough, and they are bounded.
  for (let round = 0; round < 5; round++) {
    const pids = findMarked(runId);
    if (pids.length === 0) break;
    found += pids.length;
    for (const pid of pids) kill(pid, round === 0 ? 'SIGTERM' : 'SIGKILL');
    for (let i = 0; i < 10 && findMarked(runId).length > 0; i++) await sleep(20);
  }
  return found;
}

/** By the mark in their environment. Systems without /proc show no such thing; there none is found. */
function findMarked(runId: string): number[] {
  const mark = `${RUN_VARIABLE}=${runId}`;
  return listProcesses().filter((pid) => {
    try {
      return readFileSync(`/proc/${pid}/environ`, 'latin1').split('\0').includes(mark);
    } catch {
      // It ended, or belongs to somebody else.
      return false;
    }
  });
}

function listProcesses(): number[] {
  try {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map(Number)
      .filter((pid) => pid !== process.pid);
  } catch {
    // No /proc here.
    return [];
  }
}

function kill(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It has just ended.
  }
}
