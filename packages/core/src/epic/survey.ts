import type { OutcomeKind } from '@saga-ai/types/run/session-record';
import type { EpicView, StoryView } from '@saga-ai/types/screens/overview';
import type { EpicItem } from './layout.ts';
import type { Candidate, Standing } from './schedule.ts';

/** What the scheduler itself knows of a story that it started. */
export interface StartedStory {
  /** How often it was started. */
  starts: number;
  isRunning: boolean;
  /** How its last worker ended. */
  end?: OutcomeKind;
  /** The scheduler has seen, since that end, that the story needs a person. */
  wasSeen?: boolean;
  /**
   * Why the item cannot be merged or started. The reason is dropped as soon as the state or the branch of the item
   * changes.
   */
  trouble?: { reason: string; mark: string };
}

/** Where an item stood when trouble began: its state and the newest commit of its branch. */
export const markOf = (state: string | undefined, tip: string | undefined) =>
  `${state ?? ''} ${tip ?? ''}`;

/** A story is not started more often than this without a person. */
const MOST_STARTS = 6;

/** Derives the standing of every item from the overview and from earlier attempts. Pure. */
export function survey(
  items: readonly EpicItem[],
  {
    stories,
    epics,
  }: { readonly stories: readonly StoryView[]; readonly epics: readonly EpicView[] },
  attempts: ReadonlyMap<string, StartedStory>,
): Candidate[] {
  const views = new Map(stories.map((it) => [it.id, it]));
  const states = new Map(epics.map((it) => [it.id, it.state]));
  return items.map((item): Candidate => {
    if (item.kind === 'epic') {
      const isMerged = states.get(item.id) === 'done';
      const hasTrouble = attempts.get(item.id)?.trouble !== undefined;
      return { ...item, standing: isMerged ? 'merged' : hasTrouble ? 'stuck' : 'open' };
    }
    const view = views.get(item.id);
    return { ...item, standing: view ? judge(view, attempts.get(item.id)) : 'stuck' };
  });
}

function judge({ state }: StoryView, attempt: StartedStory | undefined): Standing {
  if (state === 'done') return 'merged';
  if (state === 'running' || attempt?.isRunning) return 'running';
  if (attempt?.trouble !== undefined) return 'stuck';
  if (state === 'in review') return 'passed';
  if (state === 'needs you') return 'stuck';
  if (!attempt || attempt.starts === 0) return 'open';
  if (attempt.starts >= MOST_STARTS) return 'stuck';
  switch (attempt.end) {
    case 'error':
    case 'limit':
    case 'stopped':
      return 'stuck';
    case 'needs-you':
      // The story begins again when a person has helped, which is possible only after the scheduler saw it waiting.
      return attempt.wasSeen ? 'open' : 'stuck';
    default:
      return 'open';
  }
}
