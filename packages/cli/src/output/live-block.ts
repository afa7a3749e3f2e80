import { writeSync } from 'node:fs';
import { formatLines } from './output.ts';

/** The lower part of a terminal that is drawn anew, below lines that stay. */
export class LiveBlock {
  private drawn = 0;
  private shown = '';

  /** Prints what stays, and draws the moving part below it. */
  draw(block: readonly string[], above: readonly string[] = []): void {
    const text = block.length > 0 ? formatLines(block) : '';
    if (above.length === 0 && text === this.shown) return;
    const clear = this.drawn > 0 ? `\u001b[${this.drawn}A\u001b[J` : '';
    writeLoosely(clear + (above.length > 0 ? formatLines(above) : '') + text);
    this.drawn = block.length;
    this.shown = text;
  }

  get isDrawn(): boolean {
    return this.drawn > 0;
  }
}

/** What works goes on without its reader: a closed pipe or terminal ends the view, never the work. */
export function writeLoosely(text: string): void {
  try {
    writeSync(1, text);
  } catch {
    // Nobody is looking any more.
  }
}
