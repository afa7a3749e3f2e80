export interface StableOptions {
  runs: number;
  /** Busy loops beside the suite. */
  loaded: number;
  /** Files to run instead of all. */
  filters: string[];
}

const USAGE = 'npm run test:stable -- <runs> [--loaded <busy loops>] [<file> …]';

export function readOptions(args: readonly string[]): StableOptions {
  const rest = [...args];
  const at = rest.indexOf('--loaded');
  const loaded = at === -1 ? 0 : readCount(rest.splice(at, 2)[1], 0);
  const runs = readCount(rest.shift(), 1);
  const unknown = rest.find((word) => word.startsWith('-'));
  if (unknown !== undefined) throw new Error(`${unknown} is not an option. ${USAGE}`);
  return { runs, loaded, filters: rest };
}

function readCount(word: string | undefined, least: number): number {
  const count = Number(word);
  if (Number.isInteger(count) && count >= least && word?.trim() !== '') return count;
  throw new Error(`${word ?? 'nothing'} is no number of at least ${least}. ${USAGE}`);
}
