import { writeSync } from 'node:fs';
import { formatLines } from './output.ts';
import { measure } from './text.ts';

/** The lower part of a terminal that is drawn anew, below lines that stay. */
export class LiveBlock {
  private drawn = 0;
  private shown = '';
  private readonly more: string;

  /** `more` says where to see what does not fit on the terminal. */
  constructor(more = '') {
    this.more = more;
  }

  /** Prints what stays, and draws the moving part below it. */
  draw(block: readonly string[], above: readonly string[] = []): void {
    const lines = fit(
      block.flatMap((line) => line.split('\n')),
      this.more,
    );
    const text = lines.length > 0 ? formatLines(lines) : '';
    if (above.length === 0 && text === this.shown) return;
    const clear = this.drawn > 0 ? `\u001b[${this.drawn}A\u001b[J` : '';
    writeLoosely(clear + (above.length > 0 ? formatLines(above) : '') + text);
    this.drawn = lines.reduce((rows, line) => rows + countRows(line), 0);
    this.shown = text;
  }

  get isDrawn(): boolean {
    return this.drawn > 0;
  }
}

/** What does not fit would push the head out of sight, where it cannot be drawn again; the last row is the cursor's. */
function fit(lines: readonly string[], more: string): readonly string[] {
  const room = (process.stdout.rows ?? Number.POSITIVE_INFINITY) - 1;
  let rows = 0;
  for (const [i, line] of lines.entries()) {
    rows += countRows(line);
    if (rows < room || (rows === room && i === lines.length - 1)) continue;
    const shown = lines.slice(0, i);
    return [...shown, `  … ${lines.length - shown.length} more${more}`];
  }
  return lines;
}

/** A line that is wider than the terminal takes several of its rows. */
function countRows(line: string): number {
  const columns = process.stdout.columns ?? Number.POSITIVE_INFINITY;
  return Math.max(1, Math.ceil(measure(line) / columns));
}

/** What works goes on without its reader: a closed pipe or terminal ends the view, never the work. */
export function writeLoosely(text: string): void {
  try {
    writeSync(1, text);
  } catch {
    // Nobody is looking any more.
  }
}
