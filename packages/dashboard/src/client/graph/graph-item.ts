import type { GraphNode } from '@saga-ai/types/plan/graph';
import type { State } from '@saga-ai/types/screens/story-state';

/** A node of the graph: a story, an epic or a task. */
export interface GraphItem extends GraphNode {
  title: string;
  state: State;
  /** The line below the title: the current task, the question, or what the item waits for. */
  detail: string;
  progress: string;
  /** The path of a page, and a place on that page. */
  href: string;
  hash?: string;
}
