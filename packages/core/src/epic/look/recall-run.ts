import type { EPIC_EVENTS } from '@saga-ai/types/run/epic-events';
import type { RunEvent } from '@saga-ai/types/run/event';
import type { Foretold } from '@saga-ai/types/screens/epic-run/epic-run';
import type { TriedMerge } from '@saga-ai/types/screens/epic-run/spans';
import type { StartedStory } from '../survey.ts';

export type EpicEvent = RunEvent<keyof typeof EPIC_EVENTS>;

/** What the events of a scheduler tell. */
export interface RecalledRun {
  /** The number of jobs, and since when. */
  jobs: { at: number; jobs: number }[];
  attempts: Map<string, StartedStory>;
  /** By story or inner epic. */
  merges: Map<string, TriedMerge[]>;
  merged: { item: string; into: string; commit: string; at: number; verified: Verified }[];
  /** Each pair once, with the files that were told last. */
  foretold: Foretold[];
  /** What is being merged now. */
  merging: string | undefined;
}

type Verified = EventOfType<'epic:merged'>['verified'];
type EventOfType<T extends EpicEvent['type']> = Extract<EpicEvent, { type: T }>;

/**
 * Reads the events of one scheduler, oldest first. `isAlive` says that the scheduler may still be at work on what it
 * began.
 */
export function recallRun(events: readonly EpicEvent[], isAlive: boolean): RecalledRun {
  const attempts = new Map<string, StartedStory>();
  const merges = new Map<string, TriedMerge[]>();
  const merged: RecalledRun['merged'] = [];
  const jobs: RecalledRun['jobs'] = [];
  const foretold = new Map<string, Foretold>();
  let merging: string | undefined;
  const attemptOf = (id: string): StartedStory =>
    attempts.get(id) ?? { starts: 0, isRunning: false };
  const endMerge = (event: EventOfType<'epic:merged' | 'epic:not-merged'>) => {
    const at = Date.parse(event.time);
    const isFailed = event.type === 'epic:not-merged';
    const tried = merges.get(event.story)?.at(-1);
    if (tried && tried.to === null) {
      // If somebody moved the branch first, the scheduler tries the merge again by itself.
      const isStuck = isFailed && !event.isTold && event.why !== 'moved';
      Object.assign(tried, { to: at, isFailed, isStuck });
    }
    if (merging === event.story) merging = undefined;
  };
  for (const event of events) {
    const at = Date.parse(event.time);
    switch (event.type) {
      case 'epic:start':
      case 'epic:changed':
        jobs.push({ at, jobs: event.jobs });
        break;
      case 'epic:started': {
        const { starts } = attemptOf(event.story);
        attempts.set(event.story, { starts: starts + 1, isRunning: isAlive });
        break;
      }
      case 'epic:ended': {
        const { starts } = attemptOf(event.story);
        // A story that no longer needs a person has been helped meanwhile.
        attempts.set(event.story, { starts, isRunning: false, end: event.kind, wasSeen: true });
        break;
      }
      case 'epic:not-started': {
        const { starts } = attemptOf(event.story);
        const trouble = { reason: event.reason, next: '', since: event.time };
        attempts.set(event.story, { starts: starts + 1, isRunning: false, trouble });
        break;
      }
      case 'epic:merge': {
        const tries = merges.get(event.story) ?? [];
        tries.push({ from: at, to: null, isFailed: false, isStuck: false });
        merges.set(event.story, tries);
        merging = event.story;
        break;
      }
      case 'epic:merged': {
        endMerge(event);
        const { story: item, into, commit, verified } = event;
        merged.push({ item, into, commit, at, verified });
        attempts.set(item, { starts: attemptOf(item).starts, isRunning: false });
        break;
      }
      case 'epic:not-merged': {
        endMerge(event);
        const { starts } = attemptOf(event.story);
        const isTrouble = !event.isTold && event.why !== 'moved';
        const trouble = isTrouble
          ? { trouble: { reason: event.detail, next: '', since: event.time } }
          : {};
        attempts.set(event.story, { starts, isRunning: false, ...trouble });
        break;
      }
      case 'epic:foretold':
        foretold.set(event.stories.join(' '), { stories: event.stories, files: event.files });
        break;
      case 'epic:branch':
      case 'epic:stopping':
      case 'epic:waits':
        break;
    }
  }
  const result = { jobs, attempts, merges, merged, foretold: [...foretold.values()] };
  return { ...result, merging: isAlive ? merging : undefined };
}
