import { parseAnySession } from '@saga-ai/types/words/names';

/**
 * Converts the times of a session's record to the clock that gave the session its name. Without a fleet, that is the
 * clock of this machine. In a fleet it is the engine's, because clocks of machines may differ by minutes. So the
 * session that began last has the latest name and the latest times.
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
