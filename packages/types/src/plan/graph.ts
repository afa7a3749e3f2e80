import type { Task } from './task.ts';

/** Dependencies between siblings: the tasks of a story, the children of an epic. */
export interface GraphNode {
  readonly id: string;
  readonly blockedBy: readonly string[];
}

export interface GraphFaults {
  missing: { id: string; blockedBy: string }[];
  selfBlocked: string[];
  duplicates: string[];
  /** Each cycle in full. Its first id is repeated at the end: `a`, `b`, `a`. */
  cycles: string[][];
}

export function findGraphFaults(nodes: readonly GraphNode[]): GraphFaults {
  const known = new Set<string>();
  const duplicates = new Set<string>();
  for (const { id } of nodes) {
    if (known.has(id)) duplicates.add(id);
    known.add(id);
  }
  const missing: GraphFaults['missing'] = [];
  const selfBlocked: string[] = [];
  for (const { id, blockedBy } of nodes) {
    for (const other of new Set(blockedBy)) {
      if (other === id) selfBlocked.push(id);
      else if (!known.has(other)) missing.push({ id, blockedBy: other });
    }
  }
  return { missing, selfBlocked, duplicates: [...duplicates], cycles: findCycles(nodes) };
}

/** Returns one cycle for each strongly connected part of the graph, in the order of the nodes. */
export function findCycles(nodes: readonly GraphNode[]): string[][] {
  if (isClearlyAcyclic(nodes)) return [];
  const blockersOf = new Map(nodes.map((node) => [node.id, withoutSelf(node)]));
  return findKnots(blockersOf).map((knot) => {
    const path: string[] = [];
    let current = knot.values().next().value;
    while (current !== undefined && !path.includes(current)) {
      path.push(current);
      current = blockersOf.get(current)?.find((id) => knot.has(id));
    }
    return closeCycle(path.slice(path.indexOf(current ?? '')));
  });
}

/** Whether a graph certainly has no cycle. This check is fast, because it takes a few passes and makes no copy. */
function isClearlyAcyclic(nodes: readonly GraphNode[]): boolean {
  if (nodes.length > 64) return false;
  const open = new Set<string>();
  for (const node of nodes) open.add(node.id);
  for (let before = -1; before !== open.size; ) {
    before = open.size;
    for (const { id, blockedBy } of nodes) {
      if (blockedBy.every((other) => other === id || !open.has(other))) open.delete(id);
    }
  }
  return open.size === 0;
}

/** Tarjan's algorithm with an explicit stack: a chain of ten thousand tasks must not overflow the call stack. */
function findKnots(blockersOf: ReadonlyMap<string, readonly string[]>): Set<string>[] {
  const knots: Set<string>[] = [];
  const index = new Map<string, number>();
  const low = new Map<string, number>();
  const onStack = new Set<string>();
  const stack: string[] = [];
  const enter = (id: string) => {
    low.set(id, index.size);
    index.set(id, index.size);
    onStack.add(id);
    stack.push(id);
    return { id, blockers: (blockersOf.get(id) ?? []).values() };
  };
  const lower = (id: string, value: number | undefined) =>
    low.set(id, Math.min(low.get(id) ?? 0, value ?? 0));

  for (const root of blockersOf.keys()) {
    if (index.has(root)) continue;
    const walk = [enter(root)];
    for (let top = walk.at(-1); top; top = walk.at(-1)) {
      const { value: next, done } = top.blockers.next();
      if (!done) {
        if (!blockersOf.has(next)) continue;
        if (!index.has(next)) walk.push(enter(next));
        else if (onStack.has(next)) lower(top.id, index.get(next));
        continue;
      }
      walk.pop();
      const parent = walk.at(-1);
      if (parent) lower(parent.id, low.get(top.id));
      if (low.get(top.id) !== index.get(top.id)) continue;
      const knot = new Set(stack.splice(stack.lastIndexOf(top.id)));
      for (const id of knot) onStack.delete(id);
      if (knot.size > 1) knots.push(knot);
    }
  }
  return knots;
}

/** Rotates a cycle to begin with its smallest id, so that equal cycles read the same. */
function closeCycle(cycle: string[]): string[] {
  const smallest = cycle.reduce((best, id, i) => (id < (cycle[best] ?? '') ? i : best), 0);
  const turned = [...cycle.slice(smallest), ...cycle.slice(0, smallest)];
  return [...turned, ...turned.slice(0, 1)];
}

export interface Ordering<T extends GraphNode> {
  /** Every node stands after all nodes that block it; otherwise the given order is kept. */
  ordered: T[];
  /** Nodes that are in a cycle or wait for one. They have no order. */
  unordered: T[];
}

/** Works with indexes instead of ids: lists have thousands of nodes, and each look into a map takes time. */
export function orderTopologically<T extends GraphNode>(nodes: readonly T[]): Ordering<T> {
  const { distinct, places } = placeNodes(nodes);
  const open = new Int32Array(distinct.length);
  const dependents: number[][] = [];
  for (const [place, node] of distinct.entries()) {
    for (const id of unique(node.blockedBy)) {
      const blocker = places.get(id);
      if (blocker === undefined || blocker === place) continue;
      open[place] = (open[place] ?? 0) + 1;
      const list = dependents[blocker];
      if (list) list.push(place);
      else dependents[blocker] = [place];
    }
  }
  const order: number[] = [];
  for (const place of distinct.keys()) if (open[place] === 0) order.push(place);
  for (const place of order) {
    for (const next of dependents[place] ?? []) {
      const left = (open[next] ?? 0) - 1;
      open[next] = left;
      if (left === 0) order.push(next);
    }
  }
  const ordered = order.flatMap((place) => distinct[place] ?? []);
  return { ordered, unordered: distinct.filter((_, place) => open[place] !== 0) };
}

/** If two nodes have the same id, the later one is used, at the position of the first. */
function placeNodes<T extends GraphNode>(nodes: readonly T[]) {
  const distinct: T[] = [];
  const places = new Map<string, number>();
  for (const node of nodes) {
    const place = places.get(node.id);
    if (place === undefined) places.set(node.id, distinct.push(node) - 1);
    else distinct[place] = node;
  }
  return { distinct, places };
}

/** The part of a set that the graph needs, so that it can be computed lazily. */
export type Membership = Pick<ReadonlySet<string>, 'has'>;

/** Returns the blockers that are not completed. An unknown blocker is never completed. */
export function findUnmet(node: GraphNode, completed: Membership): string[] {
  return unique(node.blockedBy).filter((id) => !completed.has(id));
}

/** Returns the heaviest chain of dependencies, first to last. By default every node weighs one. */
export function findCriticalPath<T extends GraphNode>(
  nodes: readonly T[],
  weigh: (node: T) => number = () => 1,
): string[] {
  const best = new Map<string, { weight: number; previous: string | undefined }>();
  let last: string | undefined;
  for (const node of orderTopologically(nodes).ordered) {
    let weight = 0;
    let previous: string | undefined;
    for (const id of node.blockedBy) {
      const before = best.get(id);
      if (before && before.weight > weight) {
        weight = before.weight;
        previous = id;
      }
    }
    weight += weigh(node);
    best.set(node.id, { weight, previous });
    if (last === undefined || weight > (best.get(last)?.weight ?? 0)) last = node.id;
  }
  const path: string[] = [];
  for (let id = last; id !== undefined; id = best.get(id)?.previous) path.unshift(id);
  return path;
}

/** Returns for each id the nodes that wait for it. */
export function deriveBlocks(nodes: readonly GraphNode[]): Map<string, string[]> {
  const blocks = new Map<string, string[]>(nodes.map((node) => [node.id, []]));
  for (const node of nodes) {
    for (const blocker of new Set(node.blockedBy)) blocks.get(blocker)?.push(node.id);
  }
  return blocks;
}

/** Removes duplicates. Fast for the usual node, which waits for one other node or for none. */
function unique(ids: readonly string[]): readonly string[] {
  return ids.length < 2 ? ids : [...new Set(ids)];
}

function withoutSelf(node: GraphNode): string[] {
  return node.blockedBy.filter((id) => id !== node.id);
}

/** Whether all open tasks wait for a task that only a person can help. */
export function isHeldUp(
  tasks: readonly Pick<Task, 'id' | 'status' | 'escalated' | 'blockedBy'>[],
): boolean {
  const open = tasks.filter((it) => it.status !== 'completed');
  const held = new Set(open.filter((it) => it.escalated).map((it) => it.id));
  if (held.size === 0) return false;
  for (let before = 0; before < held.size; ) {
    before = held.size;
    for (const { id, blockedBy } of open) if (blockedBy.some((it) => held.has(it))) held.add(id);
  }
  return held.size === open.length;
}
