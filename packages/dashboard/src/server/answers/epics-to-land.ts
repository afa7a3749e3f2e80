import type { LiveProject } from '@saga-ai/core/overview/live/live-project';
import { isHeld } from '@saga-ai/core/overview/scan-project';
import { listToLand } from '@saga-ai/types/screens/epic-run/epic-calls';
import type { EpicView } from '@saga-ai/types/screens/overview';

/** Lists the epics whose stories are all merged into their branch, and whose branch waits for a person. */
export function listEpicsToLand({ overview, sessions, paths }: LiveProject): EpicView[] {
  return listToLand(overview.epics, (id) => {
    if (isHeld(paths, id)) return { state: 'running', at: null };
    const [newest] = sessions.list(id);
    const session = newest === undefined ? undefined : sessions.find(newest);
    return session && { state: session.state, at: session.endedAt ?? null };
  });
}
