import type { SessionEvent } from '@saga-ai/types/run/event';
import { formatEvent } from './event-line.ts';
import { writeLoosely } from './live-block.ts';
import { formatLines, type Output } from './output.ts';
import { cut } from './text.ts';

/** One line on a terminal that says what happens now. It is removed at the end. */
export interface PassingLine extends Disposable {
  show(text: string): void;
  read(event: SessionEvent): void;
}

export function createPassingLine(out: Output): PassingLine {
  const isLive = process.stdout.isTTY === true && !out.json;
  const clear = '\r\u001b[K';
  const show = (text: string) => {
    if (!isLive) return;
    const line = formatLines([out.paint('quiet', cut(text, out.width - 1))]).replace(/\n$/, '');
    writeLoosely(`${clear}${line}`);
  };
  return {
    show,
    read(event) {
      const [line] = formatEvent(event, (_, text) => text);
      if (line !== undefined) show(line.replace(/^\S /, '… '));
    },
    [Symbol.dispose]: () => {
      if (isLive) writeLoosely(clear);
    },
  };
}
