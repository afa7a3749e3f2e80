import { count } from '../../words/amounts.ts';
import { formatEpicBranch } from '../../words/names.ts';
import type { EpicCall, EpicView } from '../overview.ts';

/** How the newest scheduler of an epic stands. */
export interface SchedulerFacts {
  state: 'running' | 'ended' | 'died';
  /** When it ended, as an ISO time; null if it runs or nobody knows. */
  at: string | null;
}

/** Returns undefined for an epic that was never run. */
export type FindScheduler = (epicId: string) => SchedulerFacts | undefined;

/**
 * Derives which epics wait for a person: those to be landed, those that the scheduler around them
 * cannot merge, and those whose scheduler was killed.
 */
export function deriveEpicCalls(
  epics: readonly EpicView[],
  findScheduler: FindScheduler,
): EpicCall[] {
  const toLand = new Set(listToLand(epics, findScheduler));
  const byId = new Map(epics.map((epic) => [epic.id, epic]));
  return epics.flatMap((epic): EpicCall[] => {
    const { id, progress, state, stuck } = epic;
    if (stuck) return [{ epic, state: 'needs you', ...stuck }];
    const scheduler = findScheduler(id);
    const since = scheduler?.at ?? null;
    if (toLand.has(epic)) {
      const stories = progress.total === 1 ? 'its story is' : `its ${progress.total} stories are`;
      const reason = `${stories} merged into ${formatEpicBranch(id)}`;
      return [{ epic, state: 'in review', reason, since, next: `saga land ${id}` }];
    }
    if (scheduler?.state !== 'died' || state === 'done') return [];
    if (isScheduled(epic, byId, findScheduler)) return [];
    const done = `${progress.completed}/${count(progress.total, 'story', 'stories')}`;
    const reason = `its scheduler was killed · ${done}`;
    return [{ epic, state: 'interrupted', reason, since, next: `saga run ${id}` }];
  });
}

/** Lists the epics whose stories are all merged into their branch, while no scheduler is at work there. */
export function listToLand(epics: readonly EpicView[], findScheduler: FindScheduler): EpicView[] {
  const byId = new Map(epics.map((epic) => [epic.id, epic]));
  return epics.filter(
    (epic) => isMergedBelow(epic, byId) && !isScheduled(epic, byId, findScheduler),
  );
}

/** Whether an epic inside must be merged first. */
function isMergedBelow(epic: EpicView, byId: ReadonlyMap<string, EpicView>): boolean {
  const { state, progress, children } = epic;
  if (state !== 'in review' || progress.completed < progress.total) return false;
  return children.every(({ id }) => (byId.get(id)?.state ?? 'done') === 'done');
}

/** Whether a scheduler of the epic, or of an epic around it, is at work. */
function isScheduled(
  epic: EpicView,
  byId: ReadonlyMap<string, EpicView>,
  findScheduler: FindScheduler,
): boolean {
  const seen = new Set<string>();
  for (let id: string | null | undefined = epic.id; id && !seen.has(id); id = byId.get(id)?.epic) {
    seen.add(id);
    if (findScheduler(id)?.state === 'running') return true;
  }
  return false;
}
