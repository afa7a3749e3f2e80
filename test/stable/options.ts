import { parseArgs } from 'node:util';

export interface StableOptions {
  runs: number;
  /** Busy loops beside the suite. */
  loaded: number;
  /** Projects of vitest.config.ts. */
  projects: string[];
  /** Files to run instead of all. */
  filters: string[];
}

const USAGE =
  'npm run test:stable -- <runs> [--loaded <busy loops>] [--project all|browser|runs|contract …] [<file> …]';
const OPTIONS = {
  loaded: { type: 'string', default: '0' },
  project: { type: 'string', multiple: true },
} as const;

export function readOptions(args: readonly string[]): StableOptions {
  const { values, positionals } = parse(args);
  const [runs, ...filters] = positionals;
  return {
    runs: readCount(runs, 1),
    loaded: readCount(values.loaded, 0),
    projects: values.project ?? ['all', 'browser'],
    filters,
  };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: OPTIONS, allowPositionals: true });
  } catch (error) {
    throw new Error(`${(error as Error).message} ${USAGE}`);
  }
}

function readCount(word: string | undefined, least: number): number {
  const count = Number(word);
  if (Number.isInteger(count) && count >= least && word?.trim() !== '') return count;
  throw new Error(`${word ?? 'nothing'} is no number of at least ${least}. ${USAGE}`);
}
