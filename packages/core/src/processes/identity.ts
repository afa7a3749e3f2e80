import { hostname } from 'node:os';
import { errorCodeOf } from '../errors.ts';
import { findPlace, formatPlace, type Place, parsePlace } from './place.ts';
import { openProcessTable } from './table.ts';

/** A process that can be recognised later, even when its number belongs to another one by then. */
export interface ProcessIdentity {
  host: string;
  pid: number;
  /** When the process started, as the system counts; 0 where that cannot be known. */
  started: number;
  /** Machine, boot and table of process numbers (place.ts); missing in what older versions wrote. */
  place?: string | undefined;
}

export function describeProcess(pid: number): ProcessIdentity {
  const { started = 0 } = openProcessTable().find(pid) ?? {};
  return { host: describeHost(), pid, started, place: formatPlace(findPlace()) };
}

/** Provably gone: no such process here, one that has ended, a later one with its number, or before the last boot. */
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
  // Without a look at it, the number alone must do.
  if (!found) return false;
  if (found.ended) return true;
  return (
    owner.started !== 0 && found.started !== 0 && !table.isSameStart(owner.started, found.started)
  );
}

/** A process of another machine, or of another container: nobody here can know whether it lives. */
export function isElsewhere(owner: ProcessIdentity): boolean {
  return relate(owner) === 'elsewhere';
}

type Relation = 'here' | 'before-boot' | 'elsewhere';

/** The host's name alone proves little: it may change while the machine is the same. */
function relate(owner: ProcessIdentity): Relation {
  return relatePlaces(
    { host: owner.host, place: parsePlace(owner.place ?? '') },
    { host: describeHost(), place: findPlace() },
  );
}

interface Named {
  host: string;
  place: Place | undefined;
}

export function relatePlaces(owner: Named, own: Named): Relation {
  const isSame = (part: keyof Place) => {
    const value = owner.place?.[part];
    return value !== undefined && value !== '-' && value === own.place?.[part];
  };
  const isKnown = owner.place !== undefined && own.place !== undefined;
  const wasBooted =
    isKnown && owner.place?.boot !== '-' && own.place?.boot !== '-' && !isSame('boot');
  if (owner.host === own.host || isSame('machine')) return wasBooted ? 'before-boot' : 'here';
  return isSame('boot') && isSame('table') ? 'here' : 'elsewhere';
}

export function describeHost(): string {
  return hostname().replace(/[^a-zA-Z0-9.-]/g, '-') || 'localhost';
}

/** An identity as part of a file name or a variable; `nonce` tells apart what one process has twice. */
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
