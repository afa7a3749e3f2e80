import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { errorCodeOf } from '../errors.ts';

/** A process that can be recognised later, even when its number belongs to another one by then. */
export interface ProcessIdentity {
  host: string;
  pid: number;
  /** When the process started, as the kernel counts; 0 where that cannot be known. */
  started: number;
}

export function describeProcess(pid: number): ProcessIdentity {
  return { host: describeHost(), pid, started: lookAt(pid).started };
}

/** Provably gone: no such process here, one that has ended, or a later one with its number. */
export function isProcessGone(owner: ProcessIdentity): boolean {
  if (owner.host !== describeHost()) return false;
  try {
    process.kill(owner.pid, 0);
  } catch (error) {
    return errorCodeOf(error) === 'ESRCH';
  }
  const { started, ended } = lookAt(owner.pid);
  return ended || (owner.started !== 0 && started !== 0 && owner.started !== started);
}

/**
 * From /proc/<pid>/stat: its start is field 22, counted after the command name, which may hold
 * anything. A killed process stays in the table, as Z, until its parent asks for its end.
 */
function lookAt(pid: number): { started: number; ended: boolean } {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return { started: Number(fields[19]) || 0, ended: fields[0] === 'Z' || fields[0] === 'X' };
  } catch {
    // No /proc on this system, or the process just ended: the number alone must do.
    return { started: 0, ended: false };
  }
}

export function describeHost(): string {
  return hostname().replace(/[^a-zA-Z0-9.-]/g, '-') || 'localhost';
}
