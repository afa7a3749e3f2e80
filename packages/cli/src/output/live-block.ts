import { writeSync } from 'node:fs';
import { formatLines } from './output.ts';
import { measure } from './text.ts';

/** The lower part of a terminal, which is drawn again at every change. The lines above it stay. */
export class LiveBlock {
  private drawn = 0;
  private shown = '';
  private readonly more: string;

  /** `more` follows "… 3 more" and says where to see the lines that do not fit on the terminal. */
  constructor(more = '') {
    this.more = more;
  }

  /** Prints the lines `above`, which stay, and draws the live part below them. */
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

/**
 * Leaves out lines that do not fit, because lines that scroll out of sight cannot be redrawn. The cursor needs the last
 * row.
 */
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

/** Ignores a write error: if the pipe or terminal is closed, the work must continue. */
export function writeLoosely(text: string): void {
  try {
    writeSync(1, text);
  } catch {
    // The reader is gone.
  }
}
