import dagre from '@dagrejs/dagre';
import type { GraphNode } from '@saga-ai/types/plan/graph';

export interface Point {
  x: number;
  y: number;
}

/** The upper left corner of a node. */
export interface Placed extends Point {
  id: string;
}

export interface LaidEdge {
  source: string;
  target: string;
  /** Where the edge runs, from the right side of its source to the left side of its target. */
  points: Point[];
}

export interface Layout {
  /** In reading order: layer by layer, each from top to bottom. */
  places: Placed[];
  edges: LaidEdge[];
  width: number;
  height: number;
}

/**
 * The size of every node. Nodes are given to React Flow as measured already: it would measure each changed node
 * again, hide it until then, and a hidden node can neither keep nor take the focus.
 */
export const NODE_SIZE = { width: 208, height: 56 };

const NODE_GAP = 18;
const LAYER_GAP = 44;
/** Nodes without any edge are in rows of at least this many. */
const LEAST_COLUMNS = 4;
const { width: WIDTH, height: HEIGHT } = NODE_SIZE;

/** Lays a graph out in layers from left to right. The same graph always gets the same layout. */
export function layOut(nodes: readonly GraphNode[]): Layout {
  const pairs = listEdges(nodes);
  const linked = new Set(pairs.flatMap(({ source, target }) => [source, target]));
  const layered = layOutLayers(
    nodes.filter(({ id }) => linked.has(id)),
    pairs,
  );
  const loose = placeLoose(
    nodes.filter(({ id }) => !linked.has(id)),
    layered,
  );
  const places = [...layered.places.toSorted((a, b) => a.x - b.x || a.y - b.y), ...loose];
  return {
    places,
    edges: layered.edges,
    width: Math.max(0, ...places.map(({ x }) => x + WIDTH)),
    height: Math.max(0, ...places.map(({ y }) => y + HEIGHT)),
  };
}

/**
 * The layout library places a node as late as possible. So it gets the edges reversed, and nodes that can start first
 * come first.
 */
function layOutLayers(
  nodes: readonly GraphNode[],
  pairs: ReturnType<typeof listEdges>,
): Pick<Layout, 'places' | 'edges'> {
  const graph = new dagre.graphlib.Graph();
  const gaps = { nodesep: NODE_GAP, ranksep: LAYER_GAP, edgesep: 12 };
  graph.setGraph({ rankdir: 'RL', ranker: 'longest-path', ...gaps });
  graph.setDefaultEdgeLabel(() => ({}));
  for (const { id } of nodes) graph.setNode(id, { width: WIDTH, height: HEIGHT });
  for (const { source, target } of pairs) graph.setEdge(target, source);
  dagre.layout(graph);
  const places = nodes.map(({ id }): Placed => {
    const { x, y } = graph.node(id) as Point;
    return { id, x: x - WIDTH / 2, y: y - HEIGHT / 2 };
  });
  const placeOf = new Map(places.map((place) => [place.id, place]));
  const columns = [...new Set(places.map(({ x }) => x))];
  const edges = pairs.flatMap(({ source, target }): LaidEdge[] => {
    const [from, to] = [placeOf.get(source), placeOf.get(target)];
    if (!from || !to) return [];
    const { points = [] } = graph.edge(target, source) as { points?: Point[] };
    return [{ source, target, points: route(from, to, points.toReversed(), columns) }];
  });
  return { places, edges };
}

/**
 * Returns the points of an edge. Where the edge passes a layer between its two nodes, it is level, in the space that
 * the layout keeps free.
 */
function route(from: Point, to: Point, between: readonly Point[], columns: readonly number[]) {
  const start = { x: from.x + WIDTH, y: from.y + HEIGHT / 2 };
  const end = { x: to.x, y: to.y + HEIGHT / 2 };
  const passed = between.slice(1, -1).flatMap(({ x, y }) => {
    const column = columns.find((left) => x > left && x < left + WIDTH);
    if (column === undefined || column <= from.x || column >= to.x) return [];
    return [
      { x: column, y },
      { x: column + WIDTH, y },
    ];
  });
  return [start, ...passed, end];
}

function placeLoose(nodes: readonly GraphNode[], { places }: Pick<Layout, 'places'>): Placed[] {
  const layers = new Set(places.map(({ x }) => x)).size;
  const columns = Math.max(LEAST_COLUMNS, layers);
  const top = Math.max(0, ...places.map(({ y }) => y + HEIGHT + 2 * NODE_GAP));
  return nodes.map(({ id }, index) => ({
    id,
    x: (index % columns) * (WIDTH + LAYER_GAP / 2),
    y: top + Math.floor(index / columns) * (HEIGHT + NODE_GAP),
  }));
}

/** A dependency on a node outside the graph gets no edge. The problems page shows it. */
function listEdges(nodes: readonly GraphNode[]): { source: string; target: string }[] {
  const known = new Set(nodes.map(({ id }) => id));
  return nodes.flatMap(({ id, blockedBy }) =>
    [...new Set(blockedBy)]
      .filter((blocker) => known.has(blocker) && blocker !== id)
      .map((source) => ({ source, target: id })),
  );
}

/** Draws the points as a line that bends between layers only. */
export function formatPath([first, ...rest]: readonly Point[]): string {
  if (!first) return '';
  let at = first;
  let path = `M${first.x} ${first.y}`;
  for (const next of rest) {
    const middle = (at.x + next.x) / 2;
    path +=
      at.y === next.y
        ? `L${next.x} ${next.y}`
        : `C${middle} ${at.y} ${middle} ${next.y} ${next.x} ${next.y}`;
    at = next;
  }
  return path;
}
