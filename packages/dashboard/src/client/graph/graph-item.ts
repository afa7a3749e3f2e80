import type { GraphNode } from '@saga-ai/types/plan/graph';
import type { State } from '@saga-ai/types/screens/story-state';

/** A node as the graph shows it, whether story, epic or task. */
export interface GraphItem extends GraphNode {
  title: string;
  state: State;
  /** Below the title: the current task, the question, what it waits for. */
  detail: string;
  progress: string;
  /** A path inside the page, and a place on it. */
  href: string;
  hash?: string;
}
