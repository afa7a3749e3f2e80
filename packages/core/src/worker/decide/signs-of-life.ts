import type { Sign } from '@saga-ai/types/run/check-in-events';

/** What one process has used since its start. */
export interface Used {
  cpuMs: number;
  /** Bytes that it and its ended children read and wrote; missing where the system does not count them. */
  bytes?: number;
  /** The process is the agent itself, or a wall around it. */
  isAgent: boolean;
}

/** What a check-in sees of a run. */
export interface RunLook {
  /** Milliseconds since the epoch. */
  at: number;
  /** The lines that the agent printed so far, and the pieces of answers that it received. */
  lines: number;
  /** The processes of the run, each under a name that no later process gets. */
  processes: ReadonlyMap<string, Used>;
  /** Until when the agent said that it waits, such as before it asks an overloaded model again. */
  waitsUntil?: number;
}

/**
 * An agent that only waits uses up to 1 % of a processor for its own timers, and reads and writes a little. So only
 * a larger share counts as a sign of life, and the bytes that the agent reads or writes never count.
 */
const AGENT_SHARE = 0.05;
/**
 * The largest share of a processor that does not count as a sign of life. A command that only waits uses no time, but
 * some runtimes have timers of their own.
 */
const COMMAND_SHARE = 0.002;
const LEAST_CPU_MS = 20;

/** Compares two looks. Changed files are looked for only if this finds nothing. */
export function findSign(before: RunLook, after: RunLook): Sign | undefined {
  if (after.lines > before.lines) return 'output';
  if ((after.waitsUntil ?? 0) > before.at) return 'waiting';
  const elapsed = after.at - before.at;
  for (const [name, used] of after.processes) {
    const earlier = before.processes.get(name);
    if (!earlier && !used.isAgent) return 'process';
    const { cpuMs = 0, bytes = 0 } = earlier ?? {};
    const share = used.isAgent ? AGENT_SHARE : COMMAND_SHARE;
    if (used.cpuMs - cpuMs >= Math.max(LEAST_CPU_MS, elapsed * share)) return 'processor';
    if (!used.isAgent && (used.bytes ?? 0) > bytes) return 'io';
  }
  const ended = [...before.processes].some(
    ([name, { isAgent }]) => !isAgent && !after.processes.has(name),
  );
  return ended ? 'process' : undefined;
}

/** The result of the check-ins so far. */
export interface Vigil {
  /** The time of the last check-in that found a sign, or of the start. */
  aliveAt: number;
  lastAt: number;
  /** Check-ins in a row without a sign. */
  misses: number;
  isAsked: boolean;
}

/** What follows a check-in. `alive`: a run that had been asked shows a sign again. */
export type CheckInStep = 'wait' | 'ask' | 'end' | 'alive';

export const beginVigil = (now: number): Vigil => ({
  aliveAt: now,
  lastAt: now,
  misses: 0,
  isAsked: false,
});

/**
 * Judges one check-in. After `misses` silent ones in a row the run is asked; if the next is silent, too, the run is
 * ended. A check-in that comes much too late proves nothing: the machine slept, or the clock was set.
 */
export function judgeCheckIn(
  vigil: Vigil,
  sign: Sign | undefined,
  now: number,
  { everyMs, misses }: { everyMs: number; misses: number },
): { vigil: Vigil; step: CheckInStep } {
  if (sign !== undefined) {
    return { vigil: beginVigil(now), step: vigil.isAsked ? 'alive' : 'wait' };
  }
  const elapsed = now - vigil.lastAt;
  if (elapsed > 2 * everyMs || elapsed < 0) {
    return { vigil: { ...vigil, lastAt: now }, step: 'wait' };
  }
  const silent = { ...vigil, lastAt: now, misses: vigil.misses + 1 };
  if (silent.misses < misses) return { vigil: silent, step: 'wait' };
  if (vigil.isAsked) return { vigil: silent, step: 'end' };
  return { vigil: { ...silent, isAsked: true }, step: 'ask' };
}
