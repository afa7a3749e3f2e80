import dagre from '@dagrejs/dagre';
import type { GraphNode } from '@saga-ai/types/plan/graph';

export interface Placed {
  id: string;
  x: number;
  y: number;
}

export interface NodeSize {
  width: number;
  height: number;
}

/**
 * Layered, left to right; the same graph always lies the same. The layout puts a node as late as it
 * can, so it is given everything backwards: what could start first then stands first.
 */
export function placeNodes(nodes: readonly GraphNode[], { width, height }: NodeSize): Placed[] {
  const graph = new dagre.graphlib.Graph();
  graph.setGraph({ rankdir: 'RL', ranker: 'longest-path', nodesep: 22, ranksep: 56 });
  graph.setDefaultEdgeLabel(() => ({}));
  for (const { id } of nodes) graph.setNode(id, { width, height });
  for (const { source, target } of listEdges(nodes)) graph.setEdge(target, source);
  dagre.layout(graph);
  return nodes.map(({ id }) => {
    const { x, y } = graph.node(id) as { x: number; y: number };
    return { id, x: x - width / 2, y: y - height / 2 };
  });
}

/** What names somebody outside the graph has no edge here; the problems page tells of it. */
export function listEdges(nodes: readonly GraphNode[]): { source: string; target: string }[] {
  const known = new Set(nodes.map(({ id }) => id));
  return nodes.flatMap(({ id, blockedBy }) =>
    [...new Set(blockedBy)]
      .filter((blocker) => known.has(blocker) && blocker !== id)
      .map((source) => ({ source, target: id })),
  );
}
