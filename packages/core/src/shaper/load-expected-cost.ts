import { loadStory } from '../plan/stories.ts';
import type { Paths } from '../project/paths.ts';
import { loadSessionRecords } from '../records/session-records.ts';
import { type ExpectedCost, expectCost } from './expect-cost.ts';

/** Expects what tasks will cost, by the sessions on this machine. Returns undefined if no session has a known cost. */
export function loadExpectedCost(paths: Paths, tasks: number): ExpectedCost | undefined {
  const countTasks = (storyId: string) => {
    try {
      return loadStory(paths, storyId).tasks.length;
    } catch {
      // The story is archived, deleted or broken: it says nothing about a task.
      return 0;
    }
  };
  return expectCost(loadSessionRecords(paths).records, countTasks, tasks);
}
