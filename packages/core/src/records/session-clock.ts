import { parseAnySession } from '@saga-ai/types/words/names';

/**
 * Tells the times of a session's record by the clock that the session was named with. On one machine that is its own
 * clock. In a fleet it is the engine's, because clocks of machines may differ by minutes: so the session that
 * began last has the latest name and the latest times.
 */
export function createSessionClock({
  session,
  timestamp,
}: {
  session: string;
  /** When the session began, by the clock of this machine. */
  timestamp: number;
}): (here: number) => string {
  const named = parseAnySession(session)?.timestamp ?? timestamp;
  return (here) => new Date(here - timestamp + named).toISOString();
}
