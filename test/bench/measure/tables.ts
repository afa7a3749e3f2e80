import { NAIVE } from '../commands/native-lists.ts';
import { TIME_LIMIT } from './candidate.ts';
import type { Figures } from './measure.ts';
import { BARE, type Results, UNKNOWN } from './results.ts';
import { READ_ALL, ROWS, SIZES, TASK_POP, TASK_READY } from './rows.ts';
import { formatTable } from './table.ts';

/** All there is to know about saga, and a bare start of Node above it. */
export function formatSagaTable(results: Results): string {
  const { bare } = results;
  const line = (name: string, { median, min, cpu, memory }: Figures) => [
    name,
    formatTime(median),
    formatRatio(median / bare.median),
    formatTime(median - bare.median),
    formatTime(min),
    formatTime(cpu),
    formatMemory(memory),
    formatRatio(memory / bare.memory),
  ];
  return formatTable([
    ['saga', 'median', '× node', 'over', 'fastest', 'CPU', 'memory', '× node'],
    line(BARE, bare),
    ...ROWS.map((row) => line(row, results.saga(row))),
  ]);
}

/** `saga task` on native lists, beside a bare start of Node and a script that only reads. */
export function formatNativeTable(results: Results): string {
  const { bare } = results;
  const line = (name: string, { median, min, cpu, memory }: Figures, naive: Figures) => [
    name,
    formatTime(median),
    formatRatio(median / bare.median),
    formatRatio(median / naive.median),
    formatTime(min),
    formatTime(cpu),
    formatRatio(cpu / naive.cpu),
    formatMemory(memory),
  ];
  return formatTable([
    ['native list', 'median', '× node', '× naive', 'fastest', 'CPU', '× naive', 'memory'],
    ...SIZES.flatMap((size) => {
      const naive = results.of(NAIVE, READ_ALL(size)) ?? UNKNOWN;
      const rows = [TASK_READY(size), TASK_POP(size)];
      return [
        line(READ_ALL(size), naive, naive),
        ...rows.map((row) => line(row, results.saga(row), naive)),
      ];
    }),
  ]);
}

/** All programs side by side, each figure with its ratio to a bare start of Node. */
export function formatPeersTable(results: Results): string {
  const programs = results.programs().filter((program) => !['node', NAIVE].includes(program));
  const rows = ROWS.filter((row) => programs.every((program) => results.of(program, row)));
  const part = (figure: keyof Figures, format: (value: number) => string) =>
    rows.map((row) => [
      row,
      ...programs.map((program) => {
        const value = results.of(program, row)?.[figure] ?? Number.NaN;
        return `${format(value)} ${formatRatio(value / results.bare[figure]).padStart(6)}`;
      }),
    ]);
  return formatTable([
    ['median, × node', ...programs],
    ...part('median', formatTime),
    ['CPU, × node'],
    ...part('cpu', formatTime),
    ['memory, × node'],
    ...part('memory', formatMemory),
  ]);
}

export function formatTime(time: number): string {
  if (time === Number.POSITIVE_INFINITY) return `> ${TIME_LIMIT / 1000} s`;
  if (time >= 10_000) return `${(time / 1000).toFixed(1)} s`;
  return `${time.toFixed(Math.abs(time) < 100 ? 1 : 0)} ms`;
}

export const formatMemory = (megabytes: number) => `${megabytes.toFixed(0)} MB`;
export const formatRatio = (ratio: number) =>
  Number.isFinite(ratio) ? `${ratio.toFixed(ratio < 10 ? 2 : 1)}×` : '';
