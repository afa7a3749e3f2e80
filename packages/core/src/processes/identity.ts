import { hostname } from 'node:os';
import { errorCodeOf } from '../errors.ts';
import {
  findProcessPlace,
  formatProcessPlace,
  type ProcessPlace,
  parseProcessPlace,
} from './process-place.ts';
import { openProcessTable } from './table.ts';

/** Identifies a process even after its number was given to another process. */
export interface ProcessIdentity {
  host: string;
  pid: number;
  /** When the process started, in the system's own unit; 0 if unknown. */
  started: number;
  /** Machine, boot and table of process numbers (place.ts). Missing in what older versions wrote. */
  place?: string | undefined;
}

export function describeProcess(pid: number): ProcessIdentity {
  const { started = 0 } = openProcessTable().find(pid) ?? {};
  return { host: describeHost(), pid, started, place: formatProcessPlace(findProcessPlace()) };
}

/**
 * True if the process has certainly ended: its number is free, is of an ended process or of one that
 * started later, or dates from before the last boot.
 */
export function isProcessGone(owner: ProcessIdentity): boolean {
  const relation = relate(owner);
  if (relation !== 'here') return relation === 'before-boot';
  try {
    process.kill(owner.pid, 0);
  } catch (error) {
    return errorCodeOf(error) === 'ESRCH';
  }
  const table = openProcessTable();
  const found = table.find(owner.pid);
  // The process cannot be examined, but its number exists: assume that it lives.
  if (!found) return false;
  if (found.ended) return true;
  return (
    owner.started !== 0 && found.started !== 0 && !table.isSameStart(owner.started, found.started)
  );
}

/**
 * Whether the worker of a session has certainly ended. For a worker on another machine of the fleet, the engine says
 * whether its lease was lost, because its process number has no meaning here.
 */
export function isWorkerGone(
  owner: ProcessIdentity & { machine?: unknown; isLost?: unknown },
): boolean {
  return owner.machine === undefined ? isProcessGone(owner) : owner.isLost === true;
}

/** True for a process of another machine or container: whether it lives cannot be known here. */
export function isElsewhere(owner: ProcessIdentity): boolean {
  return relate(owner) === 'elsewhere';
}

type Relation = 'here' | 'before-boot' | 'elsewhere';

/**
 * Compares the places of two processes. The host's name alone is not enough: it may change while the
 * machine is the same.
 */
function relate(owner: ProcessIdentity): Relation {
  return relatePlaces(
    { host: owner.host, place: parseProcessPlace(owner.place ?? '') },
    { host: describeHost(), place: findProcessPlace() },
  );
}

interface Named {
  host: string;
  place: ProcessPlace | undefined;
}

export function relatePlaces(owner: Named, own: Named): Relation {
  const isSame = (part: keyof ProcessPlace) => {
    const value = owner.place?.[part];
    return value !== undefined && value !== '-' && value === own.place?.[part];
  };
  const isKnown = owner.place !== undefined && own.place !== undefined;
  const wasBooted =
    isKnown && owner.place?.boot !== '-' && own.place?.boot !== '-' && !isSame('boot');
  if (owner.host === own.host || isSame('machine')) return wasBooted ? 'before-boot' : 'here';
  return isSame('boot') && isSame('table') ? 'here' : 'elsewhere';
}

function describeHost(): string {
  return hostname().replace(/[^a-zA-Z0-9.-]/g, '-') || 'localhost';
}

/** Formats an identity for a file name or a variable. `nonce` distinguishes several names of one process. */
export function formatIdentity(identity: ProcessIdentity, nonce: string): string {
  const { host, pid, started, place } = identity;
  return [host, pid, started, nonce, ...(place === undefined ? [] : [place])].join('~');
}

export function parseIdentity(text: string): (ProcessIdentity & { nonce: string }) | undefined {
  const match = /^([^~]+)~(\d+)~(\d+)~([^~]+)(?:~([^~]+))?$/.exec(text);
  if (!match?.[1] || !match[4]) return undefined;
  const [, host, pid, started, nonce, place] = match;
  const identity = { host, pid: Number(pid), started: Number(started), nonce };
  return place === undefined ? identity : { ...identity, place };
}
