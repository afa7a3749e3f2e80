import { writeLoosely } from '../output/live-block.ts';
import { render } from '../output/text.ts';
import { type Key, readKeys } from './read-keys.ts';

const ENTER = '\u001b[?1049h\u001b[?25l\u001b[?2004h\u001b[2J';
const LEAVE = '\u001b[?2004l\u001b[?25h\u001b[?1049l';

/**
 * The whole terminal: its own screen, without the cursor, and every key at once. The terminal is as before after
 * `leave`, which also happens when the process ends by an error or by `process.exit`.
 */
export class FullScreen implements Disposable {
  readonly #onKeys: (keys: Key[]) => void;
  readonly #onResize: () => void;
  #shown: string[] = [];
  #isEntered = false;

  constructor(onKeys: (keys: Key[]) => void, onResize: () => void) {
    this.#onKeys = onKeys;
    this.#onResize = onResize;
    process.on('exit', this.leave);
    // This runs before Node prints the error, which would otherwise be lost on this screen.
    process.on('uncaughtExceptionMonitor', this.leave);
    process.on('SIGCONT', this.#comeBack);
    this.enter();
  }

  get size(): { columns: number; rows: number } {
    const { columns = 80, rows = 24 } = process.stdout;
    return { columns, rows };
  }

  enter(): void {
    if (this.#isEntered) return;
    this.#isEntered = true;
    this.#shown = [];
    writeLoosely(ENTER);
    process.stdin.setEncoding('utf8').setRawMode(true);
    process.stdin.on('data', this.#read).resume();
    process.stdout.on('resize', this.#resize);
  }

  leave = (): void => {
    if (!this.#isEntered) return;
    this.#isEntered = false;
    process.stdin.off('data', this.#read).pause();
    process.stdout.off('resize', this.#resize);
    try {
      process.stdin.setRawMode(false);
    } catch {
      // The terminal is gone.
    }
    writeLoosely(LEAVE);
  };

  /** Lets the shell have the terminal until the person continues this process. */
  suspend(): void {
    this.leave();
    process.kill(process.pid, 'SIGTSTP');
  }

  /** Shows these lines. Only lines that changed are written. */
  draw(lines: readonly string[]): void {
    if (!this.#isEntered) return;
    const { rows } = this.size;
    let text = '';
    for (let row = 0; row < rows; row++) {
      const line = lines[row] ?? '';
      if (this.#shown[row] === line) continue;
      this.#shown[row] = line;
      text += `\u001b[${row + 1};1H${render(line)}\u001b[K`;
    }
    if (text !== '') writeLoosely(text);
  }

  /** Draws everything again at the next call of `draw`. */
  clear(): void {
    this.#shown = [];
    if (this.#isEntered) writeLoosely('\u001b[2J');
  }

  [Symbol.dispose](): void {
    this.leave();
    process.off('exit', this.leave);
    process.off('uncaughtExceptionMonitor', this.leave);
    process.off('SIGCONT', this.#comeBack);
  }

  #read = (chunk: string | Buffer): void => this.#onKeys(readKeys(String(chunk)));

  #resize = (): void => {
    this.clear();
    this.#onResize();
  };

  #comeBack = (): void => {
    this.leave();
    this.enter();
    this.#onResize();
  };
}
