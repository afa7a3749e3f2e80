import type { Advice } from '@saga-ai/types/plan/advice';
import type { Epic } from '@saga-ai/types/plan/epic';
import type { GraphNode } from '@saga-ai/types/plan/graph';
import type { LintedPlan } from './linted-plan.ts';
import { computeReach, type Reach } from './reach.ts';

/** Judges the order of items in every epic and in every story. */
export function judgeOrder({ stories, epics }: LintedPlan): Advice[] {
  const open = new Set(stories.map(({ story }) => story.id));
  return [
    ...epics.flatMap((epic) => judgeEpic(epic, open)),
    ...stories.flatMap(({ story, tasks }) =>
      findNeedless(tasks).map(
        ({ id, other, through }): Advice => ({
          rule: 'needless-order',
          ...{ story: story.id, task: id },
          message: `${story.id}/${id} waits for ${other}, and for ${through}, which waits for ${other} itself.`,
          remedy: `Remove ${other} from "blockedBy" of ${id}.`,
        }),
      ),
    ),
  ];
}

function judgeEpic(epic: Epic, open: ReadonlySet<string>): Advice[] {
  const reach = epic.children.length > 2 ? computeReach(epic.children) : undefined;
  if (!reach) return [];
  const needless = findNeedless(epic.children, reach).map(
    ({ id, other, through }): Advice => ({
      rule: 'needless-order',
      epic: epic.id,
      others: [id, other, through],
      message: `${id} waits for ${other}, and for ${through}, which waits for ${other} itself.`,
      remedy: `Remove ${other} from "blockedBy" of ${id} in epic ${epic.id}.`,
    }),
  );
  return [...needless, ...findLooseEnds(epic, reach, open)];
}

/** Finds blockers that are needless, because another blocker waits for them. */
function findNeedless(nodes: readonly GraphNode[], known?: Reach) {
  if (!nodes.some(({ blockedBy }) => blockedBy.length > 1)) return [];
  const reach = known ?? computeReach(nodes);
  return nodes.flatMap(({ id, blockedBy }) =>
    blockedBy.flatMap((other) => {
      const through = blockedBy.find((it) => it !== other && reach.waitsFor(it, other));
      return through === undefined ? [] : [{ id, other, through }];
    }),
  );
}

/** Only epics with at least this many children are judged. */
const LEAST_CHILDREN = 4;
const MOST_LOOSE = 0.25;

/**
 * Finds stories that nothing waits for, in an epic in which almost everything else comes before one last
 * story. An epic of parallel stories has many ends, and none of them is loose.
 */
function findLooseEnds({ id, children }: Epic, reach: Reach, open: ReadonlySet<string>): Advice[] {
  if (children.length < LEAST_CHILDREN) return [];
  const awaited = new Set(children.flatMap(({ blockedBy }) => blockedBy));
  const ends = children.filter((child) => !awaited.has(child.id));
  const last = ends.find(
    (end) => reach.countBefore(end.id) >= (children.length - 1) * (1 - MOST_LOOSE),
  );
  if (!last) return [];
  return ends
    .filter((end) => end !== last && open.has(end.id))
    .map(
      (end): Advice => ({
        rule: 'loose-end',
        story: end.id,
        epic: id,
        others: [last.id],
        message: `Nothing in epic ${id} waits for ${end.id}, though almost everything else comes before ${last.id}.`,
        remedy: `If ${last.id} needs it, let ${last.id} wait for ${end.id}. Otherwise leave it.`,
      }),
    );
}
