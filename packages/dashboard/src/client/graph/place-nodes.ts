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
 * Places nodes in layers from left to right; the same graph always gets the same places. The layout library
 * places a node as late as possible, so it gets the edges reversed: then nodes that can start first come first.
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

/** A dependency on a node outside the graph gets no edge. The problems page shows it. */
export function listEdges(nodes: readonly GraphNode[]): { source: string; target: string }[] {
  const known = new Set(nodes.map(({ id }) => id));
  return nodes.flatMap(({ id, blockedBy }) =>
    [...new Set(blockedBy)]
      .filter((blocker) => known.has(blocker) && blocker !== id)
      .map((source) => ({ source, target: id })),
  );
}
