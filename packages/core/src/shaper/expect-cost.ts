import type { SessionRecord } from '@saga-ai/types/run/session-record';
import { findMedian } from '@saga-ai/types/words/median';

/** What a plan will probably cost, by what earlier stories cost for each of their tasks. */
export interface ExpectedCost {
  usd: number;
  /** How many earlier stories this is based on. */
  basedOn: number;
}

type Spent = Pick<SessionRecord, 'story' | 'costUsd' | 'outcome' | 'isEpic' | 'isCostUnknown'>;

/**
 * Expects what `tasks` will cost: the median of what a task cost in the stories that were carried through. Returns
 * undefined if no story was, or no price was known.
 */
export function expectCost(
  records: readonly Spent[],
  countTasks: (story: string) => number,
  tasks: number,
): ExpectedCost | undefined {
  const ofStories = Map.groupBy(
    records.filter(({ isEpic }) => !isEpic),
    ({ story }) => story,
  );
  const costs = [...ofStories].flatMap(([story, spent]) => {
    const count = countTasks(story);
    const isDone = spent.some(({ outcome }) => outcome === 'done');
    const isKnown = spent.every(({ isCostUnknown }) => !isCostUnknown);
    const usd = spent.reduce((sum, { costUsd }) => sum + costUsd, 0);
    return isDone && isKnown && count > 0 && usd > 0 ? [usd / count] : [];
  });
  if (costs.length === 0) return undefined;
  return { usd: findMedian(costs) * tasks, basedOn: costs.length };
}
