import type { Advice } from '@saga-ai/types/plan/advice';
import { judgeOrder } from './judge-order.ts';
import { judgeStory } from './judge-story.ts';
import { isOver, type LintedPlan } from './linted-plan.ts';
import { listSome } from './list-some.ts';
import { findOverlaps } from './overlaps.ts';

/** Finds places of a plan that are likely to make a run guess, fail or collide. Each piece of advice has a remedy. */
export function lintPlan(plan: LintedPlan): Advice[] {
  const open = plan.stories.filter((it) => !isOver(it));
  return [
    ...open.flatMap(judgeStory),
    ...judgeVerify(
      plan,
      open.filter(({ story }) => !story.verify).map(({ story }) => story.id),
    ),
    ...judgeOrder({ ...plan, stories: open }),
    ...findOverlaps({ ...plan, stories: open }),
  ];
}

/** Returns the advice on some stories only, including advice about them and others together. */
export function lintSome(plan: LintedPlan, storyIds: Iterable<string>, epicId?: string): Advice[] {
  const ids = new Set(storyIds);
  return lintPlan(plan).filter(({ story, epic, others = [] }) => {
    if (others.some((id) => ids.has(id))) return true;
    return story === undefined ? epic === undefined || epic === epicId : ids.has(story);
  });
}

/** A plan of thousands of stories without a verify command gets one piece of advice. */
function judgeVerify({ verify }: LintedPlan, without: readonly string[]): Advice[] {
  if (verify !== null || without.length === 0) return [];
  const remedy =
    'Name the command that must pass before review: saga config gate.verify "npm test"';
  const [only] = without;
  if (without.length === 1 && only !== undefined) {
    return [{ rule: 'no-verify', message: `${only} has no verify command.`, remedy, story: only }];
  }
  return [{ rule: 'no-verify', message: `${listSome(without)} have no verify command.`, remedy }];
}
