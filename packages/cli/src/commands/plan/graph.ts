import { loadOverview } from '@saga-ai/core/overview/overview';
import { loadItem } from '@saga-ai/core/plan/resolve';
import type { Paths } from '@saga-ai/core/project/paths';
import { findCriticalPath } from '@saga-ai/types/plan/graph';
import type { GraphJson } from '@saga-ai/types/screens/json/plan';
import type { EpicView, Overview, StoryView } from '@saga-ai/types/screens/overview';
import { STATES, stateOfEpic, stateOfStory } from '@saga-ai/types/screens/story-state';
import type { Command } from '../../command.ts';
import { environment } from '../../environment.ts';
import {
  type Diagram,
  type DiagramNode,
  formatDot,
  formatMermaid,
  formatTextGraph,
} from '../../output/diagram.ts';
import { viewTasks } from '../../output/task-rows.ts';

export const command: Command<GraphJson> = {
  output: () => import('@saga-ai/types/screens/json/plan').then((it) => it.GraphJson),
  args: [
    { name: 'id', help: 'a story, to show its tasks, or an epic (default: all)', complete: 'item' },
  ],
  options: {
    format: { type: 'text', choices: ['text', 'mermaid', 'dot'], help: 'how to draw it (text)' },
  },
  examples: [
    'saga graph shop-checkout',
    'saga graph --format mermaid',
    'saga graph cart-api --format dot | dot -Tsvg',
  ],
  async run({ paths, out, args, text }) {
    const overview = await loadOverview(paths(), environment.handedOver());
    const diagram =
      args[0] === undefined ? ofProject(overview) : ofItem(paths(), overview, args[0]);
    if (out.json) {
      const nodes = diagram.nodes.map(({ id, title, status, life, blockedBy }) => ({
        id,
        title,
        status,
        state: life,
        blockedBy,
      }));
      return void out.value({
        nodes,
        criticalPath: diagram.criticalPath,
        problems: overview.problems,
      });
    }
    out.problems(overview.problems);
    const format = text('format');
    if (format === 'mermaid') out.lines(formatMermaid(diagram));
    else if (format === 'dot') out.lines(formatDot(diagram));
    else out.lines(formatTextGraph(diagram, out));
    return 0;
  },
};

function ofItem(paths: Paths, overview: Overview, id: string): Diagram {
  const item = loadItem(paths, id);
  if (item.kind === 'epic') return withCriticalPath(childrenOf(indexItems(overview), id));
  return withCriticalPath(
    viewTasks(item.tasks).map(({ task, state }) => ({
      id: task.id,
      title: task.subject,
      status: task.status,
      blockedBy: task.blockedBy,
      state,
    })),
  );
}

/** Draws the children of every epic and every story outside an epic in one picture. */
function ofProject(overview: Overview): Diagram {
  const items = indexItems(overview);
  const inEpics = overview.epics.flatMap((epic) => childrenOf(items, epic.id));
  const drawn = new Set(inEpics.map((node) => node.id));
  const others = overview.stories
    .filter((story) => !drawn.has(story.id))
    .map((story) => ({ ...pick(story), blockedBy: [], state: stateOfStory(story) }));
  return withCriticalPath([...inEpics, ...others]);
}

interface Items {
  stories: ReadonlyMap<string, StoryView>;
  epics: ReadonlyMap<string, EpicView>;
}

const indexItems = ({ stories, epics }: Overview): Items => ({
  stories: new Map(stories.map((it) => [it.id, it])),
  epics: new Map(epics.map((it) => [it.id, it])),
});

function childrenOf({ stories, epics }: Items, epicId: string): DiagramNode[] {
  return (epics.get(epicId)?.children ?? []).flatMap(({ id, blockedBy }): DiagramNode[] => {
    const story = stories.get(id);
    if (story) return [{ ...pick(story), blockedBy, state: stateOfStory(story) }];
    const nested = epics.get(id);
    return nested ? [{ ...pick(nested), blockedBy, state: stateOfEpic(nested) }] : [];
  });
}

const pick = ({ id, title, status, state }: StoryView | EpicView) => ({
  id,
  title,
  status,
  life: state,
});

/** Adds the longest chain of nodes that are not done. The end of this chain is the end of all work. */
function withCriticalPath(nodes: DiagramNode[]): Diagram {
  const open = nodes.filter((node) => node.state !== STATES.done);
  const criticalPath = findCriticalPath(open);
  return { nodes, criticalPath: criticalPath.length > 1 ? criticalPath : [] };
}
