import '@xyflow/react/dist/base.css';
import {
  type Connection,
  ReactFlow,
  type ReactFlowInstance,
  ReactFlowProvider,
  ViewportPortal,
} from '@xyflow/react';
import { type KeyboardEvent, type MouseEvent, useEffect, useMemo, useRef, useState } from 'react';
import { FLOW_PROPS } from '../../graph/flow-props.ts';
import { formatPath, type Layout, NODE_SIZE } from '../../graph/layout.ts';
import { useLayout } from '../../graph/use-layout.ts';
import { isArrow, walkGraph } from '../../graph/walk-graph.ts';
import { Loading } from '../../ui/loading.tsx';
import type { OrderItem } from './order-items.ts';
import { OrderNode, type OrderNodeType } from './order-node.tsx';

interface OrderGraphProps {
  items: readonly OrderItem[];
  chosen: string | null;
  choose: (id: string) => void;
  /** Lets the second wait for the first. */
  connect: (first: string, second: string) => void;
  disconnect: (first: string, second: string) => void;
}

/** The smallest zoom. A graph that would need a smaller one is moved instead, because it would be too small to read. */
const LEGIBLE = 0.7;

const nodeTypes = { order: OrderNode };

/** The graph of a draft, in which lines can be drawn and removed. Loaded only where it is shown. */
export default function OrderGraph(props: OrderGraphProps) {
  const layout = useLayout(props.items);
  const height = layout ? Math.min(Math.max(layout.height + 80, 220), 640) : 320;
  return (
    <section aria-label="Order" className="order panel relative overflow-hidden" style={{ height }}>
      {layout ? (
        <ReactFlowProvider>
          <LaidOrder {...props} layout={layout} />
        </ReactFlowProvider>
      ) : (
        <Loading />
      )}
    </section>
  );
}

function LaidOrder(props: OrderGraphProps & { layout: Layout }) {
  const { items, layout, chosen, choose, connect, disconnect } = props;
  const panel = useRef<HTMLDivElement>(null);
  const [picked, setPicked] = useState<string | null>(null);
  const [flow, setFlow] = useState<ReactFlowInstance<OrderNodeType>>();
  const nodes = useMemo(() => {
    const itemOf = new Map(items.map((item) => [item.id, item]));
    return layout.places.flatMap(({ id, x, y }): OrderNodeType[] => {
      const item = itemOf.get(id);
      if (!item) return [];
      const data = { item, isChosen: chosen === id, isPicked: picked === id };
      return [{ id, type: 'order', position: { x, y }, measured: NODE_SIZE, data }];
    });
  }, [items, layout, chosen, picked]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another layout is shown as a whole
  useEffect(() => {
    void flow?.fitView({ padding: 0.06, minZoom: LEGIBLE, maxZoom: 1 });
  }, [flow, layout]);

  // One node can be reached with Tab, the others from there with arrows.
  const entry = chosen ?? layout.places[0]?.id;
  useEffect(() => {
    for (const it of panel.current?.querySelectorAll<HTMLElement>('[data-node]') ?? [])
      it.tabIndex = it.dataset.node === entry ? 0 : -1;
  });
  const focus = (id: string) =>
    panel.current?.querySelector<HTMLElement>(`[data-node="${CSS.escape(id)}"]`)?.focus();

  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const { node } = (event.target as HTMLElement).dataset;
    if (node === undefined) return;
    if (isArrow(event.key)) {
      const next = walkGraph(layout, node, event.key) ?? stepAside(layout, node, event.key);
      if (next !== undefined) focus(next);
    } else if (event.key === 'w') {
      setPicked(picked === node ? null : node);
    } else if (event.key === 'Enter' && picked !== null && picked !== node) {
      connect(picked, node);
      setPicked(null);
    } else if (event.key === 'Escape' && picked !== null) {
      setPicked(null);
    } else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const onClick = (event: MouseEvent<HTMLElement>) => {
    const node = (event.target as HTMLElement).closest<HTMLElement>('[data-node]')?.dataset.node;
    if (node === undefined) return;
    if (picked !== null && picked !== node) {
      connect(picked, node);
      setPicked(null);
    } else choose(node);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keys and clicks are those of the buttons inside
    <div ref={panel} className="size-full" onKeyDown={onKeyDown} onClick={onClick}>
      <ReactFlow
        {...FLOW_PROPS}
        nodes={nodes}
        nodeTypes={nodeTypes}
        onInit={setFlow}
        onConnect={({ source, target }: Connection) => connect(source, target)}
        connectionRadius={40}
        minZoom={0.1}
      >
        <Lines layout={layout} items={items} disconnect={disconnect} />
      </ReactFlow>
      <p role="status" className="sr-only">
        {picked === null
          ? ''
          : `${picked} is picked up. Go to what must wait for it and press Enter.`}
      </p>
    </div>
  );
}

/** Returns the neighbour in the order of the layout, for an arrow key that no line follows. */
function stepAside({ places }: Layout, from: string, key: string): string | undefined {
  const at = places.findIndex(({ id }) => id === from);
  return places[at + (key === 'ArrowRight' || key === 'ArrowDown' ? 1 : -1)]?.id;
}

interface LinesProps {
  layout: Layout;
  items: readonly OrderItem[];
  disconnect: OrderGraphProps['disconnect'];
}

/** The lines, each with a button in its middle that removes it. */
function Lines({ layout: { width, height, edges }, items, disconnect }: LinesProps) {
  const titleOf = (id: string) => items.find((it) => it.id === id)?.title ?? id;
  return (
    <ViewportPortal>
      <svg aria-hidden="true" width={width} height={height} className="graph-edges">
        <defs>
          <marker
            id="order-arrow"
            viewBox="0 0 8 8"
            refX={7}
            refY={4}
            markerWidth={8}
            markerHeight={8}
            markerUnits="userSpaceOnUse"
            orient="auto"
          >
            <path d="M0 0L8 4L0 8Z" className="fill-edge" />
          </marker>
        </defs>
        {edges.map(({ source, target, points }) => (
          <path
            key={`${source} ${target}`}
            d={formatPath(points)}
            markerEnd="url(#order-arrow)"
            className="graph-edge stroke-edge"
          />
        ))}
      </svg>
      {edges.map(({ source, target, points }) => {
        const [from, to] = [points[0], points[1]];
        if (!from || !to) return null;
        return (
          <button
            key={`${source} ${target}`}
            type="button"
            tabIndex={-1}
            aria-label={`Remove: ${titleOf(target)} waits for ${titleOf(source)}`}
            title={`${titleOf(target)} waits for ${titleOf(source)}. Click to remove.`}
            onClick={(event) => {
              event.stopPropagation();
              disconnect(source, target);
            }}
            style={{ left: (from.x + to.x) / 2, top: (from.y + to.y) / 2 }}
            className="order-cut nopan pointer-events-auto"
          >
            ×
          </button>
        );
      })}
    </ViewportPortal>
  );
}
