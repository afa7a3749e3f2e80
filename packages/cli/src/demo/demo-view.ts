import type { Overview } from '@saga-ai/types/screens/overview';
import { formatStatus } from '../commands/plan/status.ts';
import { LiveBlock, writeLoosely } from '../output/live-block.ts';
import { formatLines, type Output } from '../output/output.ts';
import type { StoryEvent } from './run-stories.ts';

/** What the demo shows while it runs: on a terminal the current state of the epic, elsewhere one line per event. */
export interface DemoView {
  show(overview: Overview): void;
  say(event: StoryEvent): void;
  /** Prints lines that stay. */
  tell(...lines: string[]): void;
  /** Removes the live part. */
  end(): void;
}

export function createDemoView(out: Output, isLive: boolean): DemoView {
  if (out.json) return { show() {}, say() {}, tell() {}, end() {} };
  // If the reader of the output is gone, the demo must still be able to remove its folder.
  const tell = (...lines: string[]) => writeLoosely(formatLines(lines));
  if (!isLive)
    return { show() {}, say: (event) => tell(formatStoryEvent(event, out)), tell, end() {} };
  const block = new LiveBlock();
  let shown: string[] = [];
  return {
    show(overview) {
      shown = ['', ...formatStatus(overview, { ...out, width: out.width - 1 })];
      block.draw(shown);
    },
    // The live part shows this already.
    say() {},
    tell: (...lines) => block.draw(shown, lines),
    end() {
      shown = [];
      block.draw([]);
    },
  };
}

function formatStoryEvent(event: StoryEvent, out: Output): string {
  const { story } = event;
  if (event.kind === 'started') return `${out.paint('running', '●')} ${story}  started`;
  if (event.kind === 'merged') return `${out.paint('done', '✓')} ${story}  merged into main`;
  const { outcome, reason, elapsedMs } = event;
  const isFine = outcome === 'done';
  const glyph = isFine ? out.paint('done', '✓') : out.paint('needs-you', '!');
  return `${glyph} ${story}  ${isFine ? '' : `${outcome}: `}${reason} (${(elapsedMs / 1000).toFixed(1)} s)`;
}
