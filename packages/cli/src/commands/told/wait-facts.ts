import type { LiveProject } from '@saga-ai/core/overview/live/live-project';
import { deriveEpicCalls } from '@saga-ai/types/screens/epic-run/epic-calls';
import type { WaitFacts } from '@saga-ai/types/screens/wait-for';

/** Returns how the items stand now: the facts that decide whether a wait is over. */
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
  const listAround = (id: string) => {
    const around = new Set<string>();
    for (let up = parents.get(id); up && !around.has(up); up = parents.get(up)) around.add(up);
    return around;
  };
  const isScheduled = (id: string) =>
    [...listAround(id)].some((up) => newest(up)?.state === 'running' || isWithFleet(up));
  const findKilled = (epicId: string) => {
    const calls = deriveEpicCalls(epics, (id) => {
      if (isWithFleet(id)) return { state: 'running', at: null };
      const session = newest(id);
      return session && { state: session.state, at: null };
    });
    return calls.find(({ epic, state }) => epic.id === epicId && state === 'interrupted');
  };
  /** Whether a story below an epic waits for a person. */
  const hasNeedy = (epicId: string) =>
    stories.some(({ id, state }) => state === 'needs you' && listAround(id).has(epicId));
  return ids.map((id) => {
    const story = stories.find((it) => it.id === id);
    const epic = epics.find((it) => it.id === id);
    const session = newest(id);
    const isRunning = session?.state === 'running' || story?.running === true || isWithFleet(id);
    const end = session?.state === 'died' ? 'died' : session?.outcome;
    const killed = epic && end === 'died' ? findKilled(id) : undefined;
    // A story that needed a person before its worker was killed still needs one.
    const standing = killed && epic?.state !== 'needs you' ? killed.state : epic?.state;
    return {
      id,
      state: story?.state ?? standing ?? 'ready',
      reason: story?.reason ?? epic?.stuck?.reason ?? killed?.reason ?? session?.reason ?? '',
      isRunning,
      isScheduled: isScheduled(id),
      isEpic: epic !== undefined,
      isAsking: story ? story.session?.waiting?.for === 'answer' : isRunning && hasNeedy(id),
      end,
    };
  });
}
