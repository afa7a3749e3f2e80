import { relative } from 'node:path';

/** The lines of each file that hold a statement, and whether they ran. */
export type FileLines = Map<string, Map<number, boolean>>;

/** The part of vitest's report (in Istanbul's format) that says which statements ran. */
export type Counted = Record<
  string,
  { statementMap: Record<string, { start: { line: number } }>; s: Record<string, number> }
>;

export function readCounted(counted: Counted): FileLines {
  const files: FileLines = new Map();
  for (const [file, { statementMap, s }] of Object.entries(counted)) {
    const lines = new Map<number, boolean>();
    for (const [id, { start }] of Object.entries(statementMap)) {
      lines.set(start.line, lines.get(start.line) || (s[id] ?? 0) > 0);
    }
    files.set(file, lines);
  }
  return files;
}

/** Marks lines of a file as run. Lines without a statement, and files of others, do not count. */
export function addRan(files: FileLines, file: string, ran: ReadonlySet<number>): void {
  const lines = files.get(file);
  for (const line of lines?.keys() ?? []) if (ran.has(line)) lines?.set(line, true);
}

/** Files with less than this, in percent, are listed. */
const LISTED_BELOW = 60;

export interface Described {
  table: string[];
  /** By file, the lines that did not run. */
  missing: string[];
  /** The packages that have less than they must. */
  low: string[];
}

/** `root` is the folder of the packages; `least` names the percentage that a package must have. */
export function describeLines(
  files: FileLines,
  { root, least }: { root: string; least: Readonly<Record<string, number>> },
): Described {
  const all = [...files].map(([file, lines]) => ({
    name: relative(root, file),
    lines: lines.size,
    ran: [...lines.values()].filter(Boolean).length,
    missing: [...lines].filter(([, ran]) => !ran).map(([line]) => line),
  }));
  const packages = Map.groupBy(all, ({ name }) => name.split('/')[0] ?? '');
  const table: string[] = [];
  const low: string[] = [];
  for (const [name, inside] of [...packages].sort()) {
    const [ran, lines] = [sum(inside.map((it) => it.ran)), sum(inside.map((it) => it.lines))];
    const [share, wanted] = [percent(ran, lines), least[name] ?? 0];
    if (share < wanted) low.push(name);
    const verdict = share < wanted ? `  ✗ at least ${wanted} %` : '';
    table.push(`${formatShare(share)}  ${name.padEnd(16)} ${ran} of ${lines} lines${verdict}`);
  }
  const rare = all
    .map((it) => ({ ...it, share: percent(it.ran, it.lines) }))
    .filter(({ share }) => share < LISTED_BELOW)
    .sort((a, b) => a.share - b.share || b.lines - a.lines);
  if (rare.length > 0) table.push('', `Files below ${LISTED_BELOW} %:`);
  for (const { name, share, ran, lines } of rare) {
    table.push(`${formatShare(share)}  ${name}  ${ran} of ${lines}`);
  }
  const missing = all
    .filter((it) => it.missing.length > 0)
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .map((it) => `${it.name}: ${joinLines(it.missing)}`);
  return { table, missing, low };
}

/** Joins line numbers that follow each other: `3-5, 9`. */
function joinLines(numbers: readonly number[]): string {
  const spans: [number, number][] = [];
  for (const line of numbers.toSorted((a, b) => a - b)) {
    const last = spans.at(-1);
    if (last && line <= last[1] + 1) last[1] = line;
    else spans.push([line, line]);
  }
  return spans.map(([from, to]) => (from === to ? from : `${from}-${to}`)).join(', ');
}

const sum = (numbers: readonly number[]) => numbers.reduce((all, it) => all + it, 0);
const percent = (part: number, all: number) => (all === 0 ? 100 : (100 * part) / all);
const formatShare = (share: number) => `${(Math.floor(share * 10) / 10).toFixed(1).padStart(5)} %`;
