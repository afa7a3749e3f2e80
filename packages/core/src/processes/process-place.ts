import { createHash } from 'node:crypto';
import { readFileSync, readlinkSync } from 'node:fs';
import { askProgram } from './run.ts';
import { OWN_FORM, type TableForm } from './table.ts';

/**
 * The context in which a process number is unique, independent of the host's name: the machine, its
 * boot, and the table of process numbers (a container has its own). Each is `-` if the system does not
 * tell.
 */
export interface ProcessPlace {
  machine: string;
  boot: string;
  table: string;
}

/** The table of process numbers outside any container. */
const FIRST_TABLE = 'pid:[4026531836]';
const UNKNOWN = '-';

let here: ProcessPlace | undefined;

/** Returns the place of this process. */
export function findProcessPlace(): ProcessPlace {
  here ??= PLACES[OWN_FORM]();
  return here;
}

/** /proc is there on Linux alone, and tells what the place is too. */
const PLACES: Readonly<Record<TableForm, () => ProcessPlace>> = { proc: readLinux, ps: askOther };

export function formatProcessPlace({ machine, boot, table }: ProcessPlace): string {
  return [machine, boot, table].join('.');
}

export function parseProcessPlace(text: string): ProcessPlace | undefined {
  const [machine, boot, table, ...more] = text.split('.');
  if (!machine || !boot || !table || more.length > 0) return undefined;
  return { machine, boot, table };
}

function readLinux(): ProcessPlace {
  const table = readText(() => readlinkSync('/proc/self/ns/pid'));
  // Containers from one image may share its machine id, so the id is not used there.
  const isContainer = table !== FIRST_TABLE;
  return {
    machine: isContainer
      ? UNKNOWN
      : shorten(readText(() => readFileSync('/etc/machine-id', 'utf8'))),
    boot: shorten(readText(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8'))),
    table: /\d+/.exec(table)?.[0] ?? UNKNOWN,
  };
}

/** macOS has one table of process numbers per boot, and an id for each boot. */
function askOther(): ProcessPlace {
  const boot = shorten(askProgram('sysctl', ['-n', 'kern.bootsessionuuid']));
  return { machine: UNKNOWN, boot, table: boot };
}

/** Hashes an id: a project's files may be shown to others, so they must not contain the id itself. */
function shorten(id: string): string {
  if (id.trim() === '') return UNKNOWN;
  return createHash('sha256').update(`saga ${id.trim()}`).digest('hex').slice(0, 10);
}

function readText(read: () => string): string {
  try {
    return read();
  } catch {
    // The file does not exist on this system, or may not be read.
    return '';
  }
}
