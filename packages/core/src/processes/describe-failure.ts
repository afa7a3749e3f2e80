import type { ProgramResult } from './run.ts';

/** Returns the last words of a program as the end of a sentence, without a full stop. */
export function describeFailure({
  stderr,
  stdout,
  timedOut,
  wasStopped,
  code,
}: ProgramResult): string {
  if (timedOut) return 'it took too long and was stopped';
  if (wasStopped) return 'it was stopped';
  const text = stderr.trim() || stdout.trim();
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const telling = lines.filter((line) => !GENERAL.test(line));
  const shown = telling.length > 0 ? telling : lines;
  const said = shown.slice(-3).map((line) => line.trim());
  return said.join(' · ').replace(/\.+$/, '') || `exit code ${code}`;
}

/** Matches lines that git adds to failures of any cause. */
const GENERAL =
  /^(hint:|fatal: Could not read from remote|Please make sure you have the|and the repository exists)/;
