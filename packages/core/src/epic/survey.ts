import type { OutcomeKind, Trouble } from '@saga-ai/types/run/session-record';
import type { EpicView, StoryView } from '@saga-ai/types/screens/overview';
import { formatEpicBranch } from '@saga-ai/types/words/names';
import type { PlannedItem } from './layout.ts';
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
  /** Its last merge succeeded, with the item as `mark` says, and no look has shown yet that it is done. */
  merged?: { mark: Mark | undefined } | undefined;
  /** Why the item cannot be merged or started. Dropped as soon as the item is no longer as `mark` says. */
  trouble?: ItemTrouble | undefined;
}

export interface ItemTrouble extends Pick<Trouble, 'reason' | 'next' | 'remedy' | 'since'> {
  /** How the item was when the trouble began. Undefined until a look has found that out. */
  mark?: Mark | undefined;
}

/** How a look saw an item: its state, and the newest commits of its branch, here and on the remote. */
export interface Mark extends Pick<Trouble, 'state' | 'tips'> {
  isPlanned: boolean;
}

const areSame = (a: Mark, b: Mark): boolean =>
  a.state === b.state && a.isPlanned === b.isPlanned && a.tips.join(' ') === b.tips.join(' ');

/** A story is not started more often than this without a person. */
const MOST_STARTS = 6;

/**
 * Takes over what a new look saw of an item. `mark` is undefined if the look failed: then nothing is known to have
 * changed. Returns the trouble that the look found. Changes only the attempt.
 */
export function noteLook(
  attempt: StartedStory,
  { id, kind, epic }: PlannedItem,
  mark: Mark | undefined,
  at: string,
): ItemTrouble | undefined {
  if (mark === undefined) return undefined;
  if (mark.state === 'needs you') attempt.wasSeen = true;
  if (attempt.trouble) {
    attempt.trouble.mark ??= mark;
    if (!areSame(attempt.trouble.mark, mark)) delete attempt.trouble;
  }
  const { merged, isRunning, trouble } = attempt;
  delete attempt.merged;
  const { state, isPlanned } = mark;
  if (trouble || isRunning) return undefined;
  if (!isPlanned && kind === 'story' && (state === 'in review' || state === 'interrupted')) {
    attempt.trouble = {
      reason: `it is no longer in the plan of epic ${epic}`,
      remedy: `Put it back (saga edit ${epic}), or land it alone (saga land ${id}).`,
      next: `saga diff ${id}`,
      ...{ since: at, mark },
    };
  } else if (merged && state === 'in review' && areSame(merged.mark ?? mark, mark)) {
    const branch = formatEpicBranch(epic);
    attempt.trouble = {
      reason: `it was merged into ${branch}, and does not count as done there`,
      next: kind === 'story' ? `saga gate ${id}` : `saga show ${id}`,
      ...{ since: at, mark },
    };
  }
  return attempt.trouble;
}

/** Derives the standing of every item from the overview and from earlier attempts. Pure. */
export function survey(
  items: readonly PlannedItem[],
  {
    stories,
    epics,
  }: { readonly stories: readonly StoryView[]; readonly epics: readonly EpicView[] },
  attempts: ReadonlyMap<string, StartedStory>,
): Candidate[] {
  const views = new Map(stories.map((it) => [it.id, it]));
  const states = new Map(epics.map((it) => [it.id, it.state]));
  const needed = new Set(items.filter(isInPlan).flatMap((it) => it.needs));
  const candidates = items.map(({ isPlanned, ...item }): Candidate => {
    if (item.kind === 'epic') {
      const isMerged = states.get(item.id) === 'done';
      const hasTrouble = attempts.get(item.id)?.trouble !== undefined;
      return { ...item, standing: isMerged ? 'merged' : hasTrouble ? 'stuck' : 'open' };
    }
    const view = views.get(item.id);
    const standing = view ? judge(view, attempts.get(item.id)) : 'stuck';
    const isOver = isPlanned === false && standing !== 'running' && standing !== 'merged';
    return { ...item, standing: isOver ? 'stuck' : standing };
  });
  // Nothing waits for what is no longer in the plan, unless something in the plan still names it.
  const left = new Set(
    items.filter((it) => !isInPlan(it) && !needed.has(it.id)).map((it) => it.id),
  );
  return candidates.filter(({ id, standing }) => standing === 'running' || !left.has(id));
}

const isInPlan = ({ isPlanned = true }: PlannedItem): boolean => isPlanned;

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
