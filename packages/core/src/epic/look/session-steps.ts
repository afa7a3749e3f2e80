import type { RunEvent } from '@saga-ai/types/run/event';
import type { WorkedSession } from '@saga-ai/types/screens/epic-run/spans';

/** The events of a session that its spans follow from. */
export type SessionStep =
  | Pick<RunEvent<'gate:start' | 'gate:passed' | 'gate:failed'>, 'type' | 'time'>
  | Pick<RunEvent<'task:status'>, 'type' | 'time' | 'to'>;

/** When tasks were completed, oldest first. */
export const listCompletions = (events: readonly SessionStep[]): number[] =>
  events.flatMap((it) =>
    it.type === 'task:status' && it.to === 'completed' ? [Date.parse(it.time)] : [],
  );

/** Pairs the start of each gate with its end. A gate whose session was killed has no end. */
export function pairGates(events: readonly SessionStep[]): WorkedSession['gates'] {
  const gates: { from: number; to: number | null; isFailed: boolean }[] = [];
  for (const { type, time } of events) {
    if (type === 'task:status') continue;
    const at = Date.parse(time);
    const last = gates.at(-1);
    if (type === 'gate:start') {
      if (last && last.to === null) last.to = at;
      gates.push({ from: at, to: null, isFailed: false });
    } else if (last && last.to === null) {
      Object.assign(last, { to: at, isFailed: type === 'gate:failed' });
    }
  }
  return gates;
}
