import type { Hold } from '../schedule.ts';

/** Says in words why a story does not begin. */
export function describeHold(hold: Hold): string {
  switch (hold.why) {
    case 'needs':
      return `waits for ${name(hold.by)}`;
    case 'cut-off':
      return `waits until a person helps ${name(hold.by)}`;
    case 'overlap':
      return `writes the same files as ${name(hold.by)}`;
    case 'jobs':
      return 'waits for a free job';
    case 'paused':
      return 'begins when the epic goes on';
    case 'not-chosen':
      return 'is not part of this run';
    case 'over':
    case 'fail-fast':
      return 'does not begin: the run ends';
  }
}

const NAMED = 3;

const name = (ids: readonly string[]) =>
  ids.length > NAMED
    ? `${ids.slice(0, NAMED).join(', ')} and ${ids.length - NAMED} more`
    : ids.join(', ');
