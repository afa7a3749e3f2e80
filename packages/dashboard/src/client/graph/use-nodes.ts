import { useMemo, useRef } from 'react';
import type { GraphItem } from './graph-item.ts';
import type { ItemNodeType } from './item-node.tsx';
import { type Layout, NODE_SIZE } from './layout.ts';

/**
 * Builds the nodes of a graph, in the order of its layout. A node that looks as before stays the same object, so
 * that a change of one story draws one node and not all of them.
 */
export function useNodes(
  items: readonly GraphItem[],
  layout: Layout,
  critical: ReadonlySet<string>,
): ItemNodeType[] {
  const before = useRef(new Map<string, ItemNodeType>());
  return useMemo(() => {
    const itemOf = new Map(items.map((item) => [item.id, item]));
    const nodes = layout.places.flatMap(({ id, x, y }): ItemNodeType[] => {
      const item = itemOf.get(id);
      if (!item) return [];
      const data = { item, isCritical: critical.has(id) };
      const place = { position: { x, y }, measured: NODE_SIZE };
      const next: ItemNodeType = { id, type: 'item', ...place, data };
      const known = before.current.get(id);
      return [known && looksSame(known, next) ? known : next];
    });
    before.current = new Map(nodes.map((node) => [node.id, node]));
    return nodes;
  }, [items, layout, critical]);
}

function looksSame(a: ItemNodeType, b: ItemNodeType): boolean {
  const [was, is] = [a.data.item, b.data.item];
  return (
    a.position.x === b.position.x &&
    a.position.y === b.position.y &&
    a.data.isCritical === b.data.isCritical &&
    was.title === is.title &&
    was.state === is.state &&
    was.detail === is.detail &&
    was.progress === is.progress &&
    was.href === is.href &&
    was.hash === is.hash
  );
}
