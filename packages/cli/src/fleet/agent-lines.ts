import type { AgentEvent } from '@saga-ai/core/fleet/agent/order';
import type { MachineWish } from '@saga-ai/core/fleet/engine';
import type { Output } from '../output/output.ts';
import { cleanLine, hang } from '../output/text.ts';

/** Words an event of an agent for the terminal that it was started in. */
export function formatAgentEvent(
  event: AgentEvent,
  { paint, width }: Pick<Output, 'paint' | 'width'>,
): string[] {
  const time = new Date().toTimeString().slice(0, 8);
  const [mark, text] = describe(event);
  const lead = `${paint('quiet', time)} ${paint(mark.tone, mark.glyph)} `;
  return hang(lead, cleanLine(text), width);
}

const MARKS = {
  running: { glyph: '▸', tone: 'running' },
  done: { glyph: '✓', tone: 'done' },
  trouble: { glyph: '!', tone: 'needs-you' },
  quiet: { glyph: '·', tone: 'quiet' },
} as const;

function describe(event: AgentEvent): [(typeof MARKS)[keyof typeof MARKS], string] {
  switch (event.type) {
    case 'ready':
      return [MARKS.done, `${event.machine} waits for work; Ctrl-C ends it`];
    case 'taken': {
      const before = event.earlier > 0 ? ', after another machine' : '';
      return [MARKS.running, `${event.id}: taken (${event.kind}, lease ${event.lease}${before})`];
    }
    case 'put-away':
      return [
        MARKS.quiet,
        `${event.id}: the copy of this machine was moved to the trash of its clone; work goes on from the remote`,
      ];
    case 'ended':
      return [
        event.outcome === 'done' ? MARKS.done : MARKS.trouble,
        `${event.id}: ${event.outcome}: ${event.reason}`,
      ];
    case 'lost':
      return [MARKS.trouble, `${event.id}: stopped here: ${event.reason}`];
    case 'given-back':
      return [MARKS.quiet, `${event.id}: given back: ${event.reason}`];
    case 'stopping':
      return [MARKS.quiet, `stops, and gives back what is under way: ${event.reason}`];
    case 'wish':
      return [MARKS.quiet, WISHES[event.wish]];
    case 'unfit':
      return [MARKS.trouble, `takes no new work: ${event.reason}; it looks again by itself`];
    case 'fit':
      return [MARKS.done, 'takes work again'];
    case 'away':
      return [
        MARKS.trouble,
        `the engine is away, work goes on, it is tried again: ${event.reason}`,
      ];
    case 'back':
      return [MARKS.done, 'the engine is back'];
  }
}

const WISHES = {
  work: 'takes work again',
  paused: 'paused: takes no new work until saga fleet resume',
  draining: 'drains: ends when what is under way is over',
  removed: 'removed from the fleet: gives back what is under way and ends',
} as const satisfies Record<MachineWish, string>;
