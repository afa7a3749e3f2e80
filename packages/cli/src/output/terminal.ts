import { fstatSync } from 'node:fs';
import { environment } from '../environment.ts';

/** What the target of the output can show. */
export interface Terminal {
  colour: boolean;
  /** Infinite in a pipe or a file: there, nothing is cut or wrapped. */
  width: number;
  isTerminal: boolean;
}

export function describeTerminal(target: 1 | 2): Terminal {
  const isTerminal = isCharacterDevice(target) && streamOf(target).isTTY === true;
  const colour = !environment.noColour() && (isTerminal || environment.forceColour());
  const columns = isTerminal ? streamOf(target).columns : undefined;
  const width = environment.columns() ?? columns ?? Number.POSITIVE_INFINITY;
  return { colour, width, isTerminal };
}

/** Checked first: a pipe is never a terminal, and Node's stream objects are slow to create. */
function isCharacterDevice(target: number): boolean {
  try {
    return fstatSync(target).isCharacterDevice();
  } catch {
    // A closed stream is not a terminal.
    return false;
  }
}

const streamOf = (target: 1 | 2) => (target === 1 ? process.stdout : process.stderr);
