import { findOpenBlockers, parseJournal } from '@saga-ai/types/plan/journal';
import { listEpicsAround } from '../../plan/epics.ts';
import type { Paths } from '../../project/paths.ts';
import { loadControl } from '../control.ts';
import { isEpicRunning } from '../start-epic.ts';

/** Says how a story goes on that no question holds up: by the epic that runs, or by a person. */
export function describeResume(
  paths: Paths,
  storyId: string,
  isRemote: boolean,
  purpose = 'to resume',
): string {
  if (isRemote) return `${purpose}: saga run ${storyId} --engine`;
  const epic = listEpicsAround(paths, storyId).find((id) => isEpicRunning(paths, id));
  if (epic === undefined) return `${purpose}: saga run ${storyId}`;
  return loadControl(paths, epic).isPaused
    ? `epic ${epic} is paused; to resume: saga continue ${epic}`
    : `epic ${epic} goes on with ${storyId} by itself`;
}

interface NextRun {
  /** The journal of the story as it is now. */
  journal: string;
  /** What the run is for, such as `to have it worked on`. */
  purpose: string;
  /** The journal is on another machine of the fleet. */
  isRemote?: boolean;
}

/** Says what starts the next run of a story. While a question is open, no run starts before it is answered. */
export function describeNextRun(
  paths: Paths,
  storyId: string,
  { journal, purpose, isRemote = false }: NextRun,
): string[] {
  const resume = describeResume(paths, storyId, isRemote, purpose);
  const isAsked = findOpenBlockers(parseJournal(journal).entries).length > 0;
  if (!isAsked) return [resume];
  return [`first answer its open question: saga resolve ${storyId}`, `then ${resume}`];
}
