import { listEpicsAround } from '../../plan/epics.ts';
import type { Paths } from '../../project/paths.ts';
import { loadControl } from '../control.ts';
import { isEpicRunning } from '../start-epic.ts';

/** Says how a story goes on after its last blocker was answered: by the epic that runs, or by a person. */
export function describeResume(paths: Paths, storyId: string, isRemote: boolean): string {
  if (isRemote) return `to resume: saga run ${storyId} --engine`;
  const epic = listEpicsAround(paths, storyId).find((id) => isEpicRunning(paths, id));
  if (epic === undefined) return `to resume: saga run ${storyId}`;
  return loadControl(paths, epic).isPaused
    ? `epic ${epic} is paused; to resume: saga continue ${epic}`
    : `epic ${epic} goes on with ${storyId} by itself`;
}
