import { loadOverview } from '@saga-ai/core/overview/overview';
import { notFound } from '@saga-ai/core/plan/not-found';
import { loadStory } from '@saga-ai/core/plan/stories';
import type { Paths } from '@saga-ai/core/project/paths';
import type { TreeJson, TreeNode } from '@saga-ai/types/screens/json/plan';
import type { EpicView, Overview, StoryView } from '@saga-ai/types/screens/overview';
import { type State, stateOfEpic, stateOfStory } from '@saga-ai/types/screens/story-state';
import type { Command } from '../../command.ts';
import { environment } from '../../environment.ts';
import { viewTasks } from '../../output/task-rows.ts';
import { formatTree } from '../../proposal/tree-lines.ts';

export const command: Command<TreeJson> = {
  output: () => import('@saga-ai/types/screens/json/plan').then((it) => it.TreeJson),
  args: [{ name: 'id', help: 'start at this epic or story', complete: 'item' }],
  options: { tasks: { type: 'boolean', help: 'show the tasks of every story' } },
  async run({ paths, out, args, flag }) {
    const overview = await loadOverview(paths(), environment.handedOver());
    const tree = buildTree(overview, args[0], flag('tasks') || args[0] !== undefined, paths());
    if (out.json) return void out.value({ tree, problems: overview.problems });
    out.problems(overview.problems);
    out.lines(formatTree(tree, out));
    return 0;
  },
};

function buildTree(
  overview: Overview,
  start: string | undefined,
  tasks: boolean,
  paths: Paths,
): TreeNode[] {
  const stories = new Map(overview.stories.map((it) => [it.id, it]));
  const epics = new Map(overview.epics.map((it) => [it.id, it]));
  const seen = new Set<string>();
  const nodeOf = (id: string): TreeNode[] => {
    const epic = epics.get(id);
    const story = stories.get(id);
    if (seen.has(id)) return [];
    seen.add(id);
    if (epic)
      return [
        epicNode(
          epic,
          epic.children.flatMap((child) => nodeOf(child.id)),
        ),
      ];
    return story ? [storyNode(story, tasks ? taskNodes(paths, id) : [])] : [];
  };
  if (start !== undefined) {
    if (!epics.has(start) && !stories.has(start)) throw notFound(paths, start);
    return nodeOf(start);
  }
  const roots = [...epics.values(), ...stories.values()].filter(
    (item) => item.epic === null || !epics.has(item.epic),
  );
  // Epics in a circle have no root. The first one that was not shown yet starts its own tree.
  const items = [...roots, ...epics.values(), ...stories.values()];
  return items.flatMap((item) => nodeOf(item.id));
}

const pickLook = ({ glyph, tone }: State) => ({ glyph, tone });

function epicNode(epic: EpicView, children: TreeNode[]): TreeNode {
  const { id, title, status, state, progress, blockedBy } = epic;
  return {
    kind: 'epic',
    id,
    title,
    status,
    state,
    progress,
    blockedBy,
    children,
    ...pickLook(stateOfEpic(epic)),
  };
}

function storyNode(story: StoryView, children: TreeNode[]): TreeNode {
  const { id, title, status, state, progress, blockedBy } = story;
  return {
    kind: 'story',
    id,
    title,
    status,
    state,
    progress,
    blockedBy,
    children,
    ...pickLook(stateOfStory(story)),
  };
}

/** Returns no tasks if the story cannot be read; its problem is listed with the others. */
function taskNodes(paths: Paths, storyId: string): TreeNode[] {
  try {
    return viewTasks(loadStory(paths, storyId).tasks).map(({ task, state }) => ({
      kind: 'task',
      id: task.id,
      title: task.subject,
      status: task.status,
      blockedBy: task.blockedBy,
      children: [],
      ...pickLook(state),
    }));
  } catch {
    // loadOverview has reported the reason.
    return [];
  }
}
