import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { askProgram } from './run.ts';

/** One process of this machine, with the fields that this user may read. */
export interface ProcessEntry {
  pid: number;
  parent: number;
  group: number;
  /** When the process started. Only comparable with a time from the same form of the table. */
  started: number;
  /** True if the process has ended and only waits for its parent to collect it. */
  ended: boolean;
  /** The program's name, without its folder and arguments. */
  name: string;
}

/** What a process and its ended children have used since its start. */
export interface ProcessUsage {
  cpuMs: number;
  /** Bytes read and written, also through pipes and terminals. Only Linux counts them. */
  bytes?: number;
}

/** A process that carries a variable, and the variable's value. */
export interface Carrier {
  pid: number;
  value: string;
}

/** The processes of this machine. There are two forms with the same answers: /proc, and the program `ps`. */
export interface ProcessTable {
  /** Returns undefined if there is no such process. */
  find(pid: number): ProcessEntry | undefined;
  list(): ProcessEntry[];
  /**
   * Lists processes whose environment contains the variable; its value must contain no blank. The
   * system shows only the environments of this user's processes.
   */
  listCarriers(variable: string): Carrier[];
  /** Returns undefined if the system does not tell. */
  findFolder(pid: number): string | undefined;
  /** Returns what a process has used since its start; undefined if there is no such process. */
  measure(pid: number): ProcessUsage | undefined;
  /** Returns the words that a process was started with, joined by blanks; empty if the system does not tell. */
  findCommandLine(pid: number): string;
  /** Whether two start times can be those of the same process. */
  isSameStart(a: number, b: number): boolean;
}

const FORMS = { proc: createProcTable, ps: createPsTable } as const;

export type TableForm = keyof typeof FORMS;

/** The form of this machine: /proc on Linux, `ps` everywhere else. */
export const OWN_FORM: TableForm = process.platform === 'linux' ? 'proc' : 'ps';

export function openProcessTable(form: TableForm = OWN_FORM): ProcessTable {
  return FORMS[form]();
}

/** Lists the given processes and all their descendants, in no order. */
export function listDescendants(table: ProcessTable, roots: readonly number[]): number[] {
  const children = Map.groupBy(table.list(), ({ parent }) => parent);
  const found = new Set(roots);
  // Iterating a Set also visits elements added during the loop, so descendants at any depth are found.
  for (const pid of found) for (const child of children.get(pid) ?? []) found.add(child.pid);
  return [...found];
}

function createProcTable(): ProcessTable {
  const find = (pid: number): ProcessEntry | undefined => {
    const stat = readQuietly(() => readFileSync(`/proc/${pid}/stat`, 'latin1'));
    if (stat === undefined) return undefined;
    // The name is in brackets and may contain brackets itself; the fields after it are plain.
    const end = stat.lastIndexOf(')');
    const fields = stat.slice(end + 2).split(' ');
    return {
      pid,
      parent: Number(fields[1]),
      group: Number(fields[2]),
      started: Number(fields[19]) || 0,
      ended: fields[0] === 'Z' || fields[0] === 'X',
      name: stat.slice(stat.indexOf('(') + 1, end),
    };
  };
  const numbers = () =>
    (readQuietly(() => readdirSync('/proc')) ?? [])
      .filter((name) => /^\d+$/.test(name))
      .map(Number);
  return {
    find,
    list: () => numbers().flatMap((pid) => find(pid) ?? []),
    listCarriers: (variable) =>
      numbers().flatMap((pid) => {
        const text = readQuietly(() => readFileSync(`/proc/${pid}/environ`, 'latin1')) ?? '';
        const word = text.split('\0').find((it) => it.startsWith(`${variable}=`));
        return word === undefined ? [] : [{ pid, value: word.slice(variable.length + 1) }];
      }),
    findFolder: (pid) => readQuietly(() => readlinkSync(`/proc/${pid}/cwd`)),
    measure: (pid) => {
      const stat = readQuietly(() => readFileSync(`/proc/${pid}/stat`, 'latin1'));
      if (stat === undefined) return undefined;
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      // Its own time in user mode and in the system, and that of its ended children.
      const ticks = fields.slice(11, 15).reduce((sum, it) => sum + (Number(it) || 0), 0);
      const io = readQuietly(() => readFileSync(`/proc/${pid}/io`, 'latin1'));
      const counts = io?.match(/^[rw]char: \d+/gm)?.map((it) => Number(it.slice(7)));
      return {
        cpuMs: ticks * TICK_MS,
        bytes: counts ? counts.reduce((sum, it) => sum + it, 0) : undefined,
      };
    },
    findCommandLine: (pid) =>
      (readQuietly(() => readFileSync(`/proc/${pid}/cmdline`, 'utf8')) ?? '')
        .replace(/\0$/, '')
        .replaceAll('\0', ' '),
    isSameStart: (a, b) => a === b,
  };
}

/** The kernel reports times in hundredths of a second on every platform that Node supports. */
const TICK_MS = 10;

const COLUMNS = ['pid', 'ppid', 'pgid', 'stat', 'lstart', 'comm'].flatMap((it) => ['-o', `${it}=`]);
/**
 * A row has a time such as `Sun Nov 15 20:16:59 2026` in the middle. The name comes last, because it
 * may contain blanks.
 */
const ROW = /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\S+)\s+(\w+\s+\w+\s+\d+\s+[\d:]+\s+\d+)\s+(.*?)\s*$/;
/**
 * Systems that compute start times from their uptime may report the same start with a second's
 * difference.
 */
const START_TOLERANCE_S = 2;

function createPsTable(): ProcessTable {
  const read = (which: readonly string[]) =>
    askProgram('ps', [...which, ...COLUMNS], PS_ENVIRONMENT)
      .split('\n')
      .flatMap((line) => parseRow(line) ?? []);
  return {
    find: (pid) => read(['-p', String(pid)])[0],
    list: () => read(['-A']),
    listCarriers: (variable) =>
      askProgram('ps', ['axeww', '-o', 'pid=', '-o', 'command='], PS_ENVIRONMENT)
        .split('\n')
        .flatMap((line) => {
          const [, pid, text = ''] = /^\s*(\d+)\s(.*)$/.exec(line) ?? [];
          const word = text.split(' ').find((it) => it.startsWith(`${variable}=`));
          if (pid === undefined || word === undefined) return [];
          return [{ pid: Number(pid), value: word.slice(variable.length + 1) }];
        }),
    findFolder: (pid) => {
      // The line n<path> is the working folder; lsof is part of macOS.
      const text = askProgram('lsof', ['-a', '-d', 'cwd', '-Fn', '-p', String(pid)]);
      return /^n(.+)$/m.exec(text)?.[1];
    },
    measure: (pid) => {
      const cpuMs = parseCpuTime(askProgram('ps', ['-o', 'time=', '-p', String(pid)]).trim());
      return cpuMs === undefined ? undefined : { cpuMs };
    },
    findCommandLine: (pid) =>
      askProgram('ps', ['-ww', '-o', 'command=', '-p', String(pid)], PS_ENVIRONMENT).trim(),
    isSameStart: (a, b) => Math.abs(a - b) <= START_TOLERANCE_S,
  };
}

/** Makes the times that `ps` prints independent of time zone and language. */
const PS_ENVIRONMENT = { LC_ALL: 'C', TZ: 'UTC' };

/** Parses `1-02:03:04`, `02:03:04` and `3:04.56`. */
function parseCpuTime(text: string): number | undefined {
  const [, days = 0, hours = 0, minutes, seconds] =
    /^(?:(\d+)-)?(?:(\d+):)?(\d+):(\d+(?:\.\d+)?)$/.exec(text) ?? [];
  if (seconds === undefined) return undefined;
  const whole = (Number(days) * 24 + Number(hours)) * 60 + Number(minutes);
  return Math.round((whole * 60 + Number(seconds)) * 1000);
}

function parseRow(line: string): ProcessEntry | undefined {
  const [, pid, parent, group, state = '', start = '', command = ''] = ROW.exec(line) ?? [];
  if (pid === undefined) return undefined;
  return {
    pid: Number(pid),
    parent: Number(parent),
    group: Number(group),
    started: Math.round(Date.parse(`${start} UTC`) / 1000) || 0,
    ended: state.startsWith('Z'),
    // macOS prints the whole path of the program.
    name: command.replace(/^.*\//, ''),
  };
}

/** Returns undefined if reading fails: a process may end meanwhile, or belong to another user. */
function readQuietly<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
