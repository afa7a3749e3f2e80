import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { childTimeMs } from './child-time.ts';
import { countPrograms, type ProgramCost } from './program-starts.ts';

/**
 * `npm run test:cost`: what `npm run check` costs, by program, by part and by file. `-- runs attacks` takes only these
 * parts. Time is from start to end; work is processor time, that of the tests and that of the programs they start.
 */
interface FileCost {
  file: string;
  ms: number;
  ownMs: number;
  programsMs: number;
}

const LONGEST = 40;
const folder = mkdtempSync(join(tmpdir(), 'saga-cost-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
const notes = join(folder, 'notes');
writeFileSync(notes, '');

const stopCounting = countPrograms(join(folder, 'programs'));
const [started, before] = [performance.now(), childTimeMs()];
const { status } = spawnSync(process.execPath, ['scripts/check.ts', ...process.argv.slice(2)], {
  stdio: 'inherit',
  env: { ...process.env, SAGA_COST: notes },
});
const wallMs = performance.now() - started;
const workMs = childTimeMs() - before;
const programs = stopCounting?.();
const files = readFileSync(notes, 'utf8').trim().split('\n').filter(Boolean);
const costs = files.map((line) => JSON.parse(line) as FileCost);

const cores = availableParallelism();
const busy = Math.round((workMs / wallMs / cores) * 100);
print(`\n${format(wallMs)} in all, ${format(workMs)} of work on ${cores} cores: ${busy} % busy\n`);
if (programs) printPrograms(programs);
else print('Which programs: as root, with accton (Debian: apt-get install acct).\n');
printFiles('part', costs, ({ file }) => partOf(file));
printFiles(`the ${LONGEST} longest files`, costs, ({ file }) => relative('', file));
process.exit(status ?? 1);

function printPrograms(found: readonly ProgramCost[]): void {
  print(`${'program'.padEnd(20)}${'starts'.padStart(9)}${'work'.padStart(9)}`);
  for (const { name, starts, ms } of found.slice(0, 15)) {
    print(`${name.padEnd(20)}${String(starts).padStart(9)}${format(ms).padStart(9)}`);
  }
  print('');
}

function printFiles(
  title: string,
  all: readonly FileCost[],
  keyOf: (cost: FileCost) => string,
): void {
  const rows = [...Map.groupBy(all, keyOf)].map(([name, some]) => {
    const sum = (pick: (cost: FileCost) => number) => some.reduce((ms, it) => ms + pick(it), 0);
    const [ms, ownMs, programsMs] = [
      ...[sum((it) => it.ms), sum((it) => it.ownMs), sum((it) => it.programsMs)],
    ] as const;
    return { name, files: some.length, ms, ownMs, programsMs };
  });
  print(`${'time'.padStart(8)}${'own work'.padStart(10)}${'programs'.padStart(10)}  ${title}`);
  for (const row of rows.sort((a, b) => b.ms - a.ms).slice(0, LONGEST)) {
    const times = [format(row.ms).padStart(8), format(row.ownMs).padStart(10)];
    const count = row.files > 1 ? ` (${row.files} files)` : '';
    print(`${times.join('')}${format(row.programsMs).padStart(10)}  ${row.name}${count}`);
  }
  print('');
}

function partOf(file: string): string {
  const parts = relative('', file).split('/');
  return parts[0] === 'test' ? parts.slice(0, 2).join('/') : `${parts[1]}`;
}

function format(ms: number): string {
  const seconds = ms / 1000;
  if (seconds < 100) return `${seconds.toFixed(1)} s`;
  return `${Math.floor(seconds / 60)}m${String(Math.round(seconds % 60)).padStart(2, '0')}s`;
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
