import type { Overview } from '@saga-ai/types/screens/overview';
import { formatStatus } from '../commands/plan/status.ts';
import { LiveBlock, writeLoosely } from '../output/live-block.ts';
import { formatLines, type Output } from '../output/output.ts';
import type { SampleEvent } from './run-sample.ts';

/** What the demo shows while it runs: on a terminal the current state of the epic, elsewhere one line per event. */
export interface DemoView {
  /** `runs` says in a line what the run of each epic does. */
  show(overview: Overview, runs: ReadonlyMap<string, string>): void;
  say(event: SampleEvent): void;
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
    return { show() {}, say: (event) => tell(formatSampleEvent(event, out)), tell, end() {} };
  const block = new LiveBlock();
  let shown: string[] = [];
  return {
    show(overview, runs) {
      // The demo itself says at its end what waits for you.
      const lines = { runs, calls: new Map() };
      shown = ['', ...formatStatus(overview, { ...out, width: out.width - 1 }, lines)];
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

function formatSampleEvent(event: SampleEvent, out: Output): string {
  const { story } = event;
  const done = out.paint('done', '✓');
  const needy = out.paint('needs-you', '!');
  switch (event.kind) {
    case 'started':
      return `${out.paint('running', '●')} ${story}  started`;
    case 'merged':
      return `${done} ${story}  merged into ${event.into}`;
    case 'not-started':
      return `${needy} ${story}  not started: ${event.reason}`;
    case 'not-merged':
      return `${needy} ${story}  not merged: ${event.reason}`;
    case 'ended': {
      const { outcome, reason, elapsedMs } = event;
      const isFine = outcome === 'done';
      return `${isFine ? done : needy} ${story}  ${isFine ? '' : `${outcome}: `}${reason} (${(elapsedMs / 1000).toFixed(1)} s)`;
    }
  }
}
