import { createHash } from 'node:crypto';
import { readFileSync, readlinkSync } from 'node:fs';
import { askProgram } from './run.ts';

/**
 * Where a process number means something, whatever the machine is called at the moment: the machine,
 * its boot, and the table of process numbers (a container has one of its own). Each is `-` where the
 * system does not tell.
 */
export interface Place {
  machine: string;
  boot: string;
  table: string;
}

/** The table of process numbers that is not a container's. */
const FIRST_TABLE = 'pid:[4026531836]';
const UNKNOWN = '-';

let here: Place | undefined;

/** This process's own place. */
export function findPlace(): Place {
  here ??= process.platform === 'linux' ? readLinux() : askOther();
  return here;
}

export function formatPlace({ machine, boot, table }: Place): string {
  return [machine, boot, table].join('.');
}

export function parsePlace(text: string): Place | undefined {
  const [machine, boot, table, ...more] = text.split('.');
  if (!machine || !boot || !table || more.length > 0) return undefined;
  return { machine, boot, table };
}

function readLinux(): Place {
  const table = readText(() => readlinkSync('/proc/self/ns/pid'));
  // Containers made from one image may share its machine id, so in there it says nothing.
  const isContainer = table !== FIRST_TABLE;
  return {
    machine: isContainer
      ? UNKNOWN
      : shorten(readText(() => readFileSync('/etc/machine-id', 'utf8'))),
    boot: shorten(readText(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8'))),
    table: /\d+/.exec(table)?.[0] ?? UNKNOWN,
  };
}

/** macOS has one table for each boot, and an id for the boot. */
function askOther(): Place {
  const boot = shorten(askProgram('sysctl', ['-n', 'kern.bootsessionuuid']));
  return { machine: UNKNOWN, boot, table: boot };
}

/** The ids themselves are nobody's business; files of a project may be shown to others. */
function shorten(id: string): string {
  if (id.trim() === '') return UNKNOWN;
  return createHash('sha256').update(`saga ${id.trim()}`).digest('hex').slice(0, 10);
}

function readText(read: () => string): string {
  try {
    return read();
  } catch {
    // Not on this system, or not for us.
    return '';
  }
}
