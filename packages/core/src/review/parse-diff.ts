import type { DiffHunk, FileDiffAnswer } from '@saga-ai/types/screens/review/review';

/** The longest line that is shown whole. A longer one is data or generated code, and a browser would stall at it. */
const LONGEST_LINE = 2000;

/** Parses the diff of one file as git prints it. Lines after `mostLines` are counted and left out. */
export function parseDiff(text: string, mostLines: number): FileDiffAnswer {
  const hunks: DiffHunk[] = [];
  let kept = 0;
  let omitted = 0;
  for (const line of text.split('\n')) {
    const begin = HUNK.exec(line);
    if (begin) {
      const [, oldStart, newStart, heading = ''] = begin;
      hunks.push({
        oldStart: Number(oldStart),
        newStart: Number(newStart),
        heading: cutLine(heading.trim()),
        lines: [],
      });
      continue;
    }
    const hunk = hunks.at(-1);
    // The head of the diff comes before the first part, and an empty text after the last line.
    if (!hunk || line === '') continue;
    if (kept >= mostLines) omitted += 1;
    else {
      kept += 1;
      hunk.lines.push(cutLine(line));
    }
  }
  return { hunks: hunks.filter(({ lines }) => lines.length > 0), omitted };
}

const HUNK = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@(.*)$/;

function cutLine(line: string): string {
  const plain = line.endsWith('\r') ? line.slice(0, -1) : line;
  if (plain.length <= LONGEST_LINE) return plain;
  const more = plain.length - LONGEST_LINE;
  return `${plain.slice(0, LONGEST_LINE)} … ${more} more characters`;
}
