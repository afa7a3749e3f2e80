import type { FileDiffAnswer, ReviewFile } from '@saga-ai/types/screens/review/review';
import type { Git } from '../git/git.ts';
import type { ReviewRange } from './find-range.ts';
import { parseDiff } from './parse-diff.ts';

/** How many lines of a file are shown at first, and how many at most. */
const FIRST_LINES = 3000;
const MOST_LINES = 20_000;

/** Loads the diff of one file, or a sentence that says why it cannot be shown. */
export async function loadFileDiff(
  git: Git,
  { from, to }: Pick<ReviewRange, 'from' | 'to'>,
  { path, fold }: Pick<ReviewFile, 'path' | 'fold'>,
  { isWhole = false, timeoutMs }: { isWhole?: boolean; timeoutMs?: number } = {},
): Promise<FileDiffAnswer> {
  if (fold === 'binary') return empty('This file is not text.');
  if (fold === 'huge') return empty('This file is too large to be shown here.');
  const limit = timeoutMs === undefined ? {} : { timeoutMs };
  const how = ['--no-renames', '--no-ext-diff', '--no-textconv', '--no-color', '--unified=3'];
  // A person's setting may leave out the leading space of an empty line.
  const args = ['-c', 'diff.suppressBlankEmpty=false', 'diff', ...how, '--submodule=short'];
  const text = await git.run([...args, from, to, '--', `:(top,literal)${path}`], limit);
  const diff = parseDiff(text, isWhole ? MOST_LINES : FIRST_LINES);
  return diff.hunks.length > 0 ? diff : empty('No line changed.');
}

const empty = (reason: string): FileDiffAnswer => ({ hunks: [], omitted: 0, reason });
