import type { ExpectedCost } from '@saga-ai/core/shaper/expect-cost';
import type { EpicDraft } from '@saga-ai/types/plan/draft';
import { findCriticalPath } from '@saga-ai/types/plan/graph';
import type { TreeNode } from '@saga-ai/types/screens/json/plan';
import { STATES, type State } from '@saga-ai/types/screens/story-state';
import { count, formatUsd } from '@saga-ai/types/words/amounts';
import { formatTextGraph } from '../output/diagram.ts';
import type { Output } from '../output/output.ts';
import { viewTasks } from '../output/task-rows.ts';
import { wrap } from '../output/text.ts';
import { formatTree } from './tree-lines.ts';

/** A plan at a glance, before it exists: its tree, what waits for what, and what it will probably cost. */
export function formatPlan(
  draft: EpicDraft,
  expected: ExpectedCost | undefined,
  out: Output,
): string[] {
  const nodes = draft.stories.map(({ id, title, blockedBy }) => ({
    ...{ id, title, blockedBy, status: 'pending' as const, state: lookOf(blockedBy) },
  }));
  const chain = findCriticalPath(nodes);
  return [
    ...formatTree([buildTree(draft)], out),
    ...(nodes.some(({ blockedBy }) => blockedBy.length > 0)
      ? ['', ...formatTextGraph({ nodes, criticalPath: chain.length > 1 ? chain : [] }, out)]
      : []),
    '',
    ...wrap(describeSize(draft, expected), out.width),
  ];
}

export const countTasks = ({ stories }: EpicDraft): number =>
  stories.reduce((sum, { tasks }) => sum + tasks.length, 0);

function describeSize(draft: EpicDraft, expected: ExpectedCost | undefined): string {
  const tasks = count(countTasks(draft), 'task');
  const size = `${count(draft.stories.length, 'story', 'stories')}, ${tasks}`;
  if (!expected)
    return `${size}. What running it costs is unknown: no story was finished here yet.`;
  const by = count(expected.basedOn, 'earlier story', 'earlier stories');
  return `${size}. Running it will cost about ${formatUsd(expected.usd)}, by what a task cost in ${by}.`;
}

const lookOf = (blockedBy: readonly string[]): State =>
  blockedBy.length > 0 ? STATES.waiting : STATES.ready;

function buildTree({ id, title, stories, children }: EpicDraft): TreeNode {
  return {
    ...{ kind: 'epic', id, title, status: 'pending', blockedBy: [], ...lookAt(STATES.ready) },
    children: [
      ...stories.map(
        ({ tasks, ...story }): TreeNode => ({
          ...{ kind: 'story', id: story.id, title: story.title, status: 'pending' },
          ...{ blockedBy: story.blockedBy, ...lookAt(lookOf(story.blockedBy)) },
          children: viewTasks(tasks).map(({ task, state }) => ({
            ...{ kind: 'task', id: task.id, title: task.subject, status: task.status },
            ...{ blockedBy: task.blockedBy, children: [], ...lookAt(state) },
          })),
        }),
      ),
      ...children.map(
        (child): TreeNode => ({
          ...{
            kind: 'story',
            id: child.id,
            title: 'exists already',
            status: 'pending',
            children: [],
          },
          ...{ blockedBy: child.blockedBy, ...lookAt(lookOf(child.blockedBy)) },
        }),
      ),
    ],
  };
}

const lookAt = ({ glyph, tone }: State) => ({ glyph, tone });
