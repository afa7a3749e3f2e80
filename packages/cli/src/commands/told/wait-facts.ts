import type { LiveProject } from '@saga-ai/core/overview/live/live-project';
import type { WaitFacts } from '@saga-ai/types/screens/wait-for';

/** How the items stand now, as far as waiting for them goes. */
export function findWaitFacts(
  project: LiveProject,
  ids: readonly string[],
  isWithFleet: (id: string) => boolean,
): WaitFacts[] {
  const { stories, epics } = project.overview;
  const parents = new Map([...stories, ...epics].map((it) => [it.id, it.epic]));
  const newest = (id: string) => {
    const [name] = project.sessions.list(id);
    return name === undefined ? undefined : project.sessions.find(name);
  };
  const isScheduled = (id: string) => {
    const seen = new Set([id]);
    for (let up = parents.get(id); up && !seen.has(up); up = parents.get(up)) {
      seen.add(up);
      if (newest(up)?.state === 'running' || isWithFleet(up)) return true;
    }
    return false;
  };
  return ids.map((id) => {
    const story = stories.find((it) => it.id === id);
    const epic = epics.find((it) => it.id === id);
    const session = newest(id);
    const isRunning = session?.state === 'running' || story?.running === true || isWithFleet(id);
    const end = session?.state === 'died' ? 'died' : session?.outcome;
    return {
      id,
      state: story?.state ?? epic?.state ?? 'ready',
      reason: story?.reason ?? session?.reason ?? '',
      isRunning,
      isScheduled: isScheduled(id),
      isAsking: story?.session?.waiting?.for === 'answer',
      ...(end === undefined ? {} : { end }),
    };
  });
}
