import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { stripVTControlCharacters } from 'node:util';
import { listStaleFiles } from './stale-files.ts';

/** `<session>.stderr` in the session folder: holds the standard error of a worker until it is under way. */
export const LAST_WORDS_END = '.stderr';

const DAY_MS = 24 * 60 * 60_000;
const SHOWN = 8;

/**
 * Keeps the standard error of a worker in a file. A session's terminal ends with the session, so the
 * error of a worker that dies before it has an output file would be lost.
 */
export interface LastWords {
  /** Creates the file and returns the command with its standard error in it. */
  wrap(command: readonly string[]): string[];
  /** The last lines; '' if there are none. */
  read(): string;
  remove(): void;
}

export function keepLastWords(file: string): LastWords {
  return {
    wrap(command) {
      writeFileSync(file, '', { mode: 0o600 });
      return ['/bin/sh', '-c', 'exec "$@" 2>>"$0"', file, ...command];
    },
    read: () => {
      const lines = stripVTControlCharacters(readFileSync(file, 'utf8')).split('\n');
      return lines
        .filter((line) => line.trim() !== '')
        .slice(-SHOWN)
        .join('\n');
    },
    remove: () => rmSync(file, { force: true }),
  };
}

/** Removes the files of workers that nobody waited for. */
export function clearLastWords(folder: string): void {
  for (const file of listStaleFiles(folder, LAST_WORDS_END, DAY_MS)) rmSync(file, { force: true });
}
