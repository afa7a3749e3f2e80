import '@xyflow/react/dist/base.css';
import { useRouter } from '@tanstack/react-router';
import { ReactFlow, type ReactFlowInstance, ReactFlowProvider } from '@xyflow/react';
import {
  type FocusEvent,
  type KeyboardEvent,
  type MouseEvent,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { Loading } from '../ui/loading.tsx';
import { FLOW_PROPS } from './flow-props.ts';
import { FOLD_ID, findFinished, foldFinished } from './fold-finished.ts';
import { GraphControls } from './graph-controls.tsx';
import { GraphEdges } from './graph-edges.tsx';
import type { GraphItem } from './graph-item.ts';
import { ItemNode, type ItemNodeType } from './item-node.tsx';
import type { Layout } from './layout.ts';
import { choosePanelHeight, chooseView, findMove } from './open-view.ts';
import { useLayout } from './use-layout.ts';
import { useNodes } from './use-nodes.ts';
import { isArrow, walkGraph } from './walk-graph.ts';
import { ZoomLevel } from './zoom-level.tsx';

interface DependencyGraphProps {
  label: string;
  items: readonly GraphItem[];
  criticalPath: readonly string[];
  /** Called for a node instead of going to its page. Returns false to go there all the same. */
  choose?: ((id: string) => boolean) | undefined;
}

const nodeTypes = { item: ItemNode };

export default function DependencyGraph(props: DependencyGraphProps) {
  const { label, items, criticalPath, choose } = props;
  const [showsAll, setShowsAll] = useState(false);
  const finished = useMemo(() => findFinished(items), [items]);
  const shown = useMemo(
    () => (showsAll ? items : foldFinished(items, finished)),
    [items, finished, showsAll],
  );
  const layout = useLayout(shown);
  const panel = useRef<HTMLElement>(null);
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const element = panel.current;
    if (!element) return;
    const observer = new ResizeObserver(() => setWidth(element.clientWidth));
    observer.observe(element);
    setWidth(element.clientWidth);
    return () => observer.disconnect();
  }, []);
  return (
    <section
      ref={panel}
      aria-label={label}
      className="graph panel relative overflow-hidden"
      style={{ height: choosePanelHeight(layout, width, shown.length) }}
    >
      {layout && width > 0 ? (
        <ReactFlowProvider>
          <LaidGraph
            key={layout.places.length}
            panel={panel}
            items={shown}
            layout={layout}
            criticalPath={criticalPath}
            choose={choose}
            finished={finished.size}
            isFolded={!showsAll}
            toggle={() => setShowsAll(!showsAll)}
          />
        </ReactFlowProvider>
      ) : (
        <Loading />
      )}
    </section>
  );
}

interface LaidGraphProps extends Omit<DependencyGraphProps, 'label'> {
  panel: React.RefObject<HTMLElement | null>;
  layout: Layout;
  finished: number;
  isFolded: boolean;
  toggle: () => void;
}

function LaidGraph(props: LaidGraphProps) {
  const { panel, items, layout, criticalPath, choose, finished, isFolded, toggle } = props;
  const router = useRouter();
  const [flow, setFlow] = useState<ReactFlowInstance<ItemNodeType>>();
  const path = criticalPath.join(' ');
  // biome-ignore lint/correctness/useExhaustiveDependencies: the answer is a new object each time, the path seldom is another
  const critical = useMemo(() => new Set(criticalPath.length > 1 ? criticalPath : []), [path]);
  const nodes = useNodes(items, layout, critical);
  const first = layout.places[0]?.id;

  const sizeOf = () => {
    const { clientWidth = 0, clientHeight = 0 } = panel.current ?? {};
    return { width: clientWidth, height: clientHeight };
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: another state moves nothing; only another layout does
  const opened = useMemo(() => chooseView(layout, items, sizeOf()), [layout]);
  useEffect(() => {
    void flow?.setViewport(opened);
  }, [flow, opened]);

  // One node of the graph can be reached with Tab, the others from there with arrows or j and k.
  useEffect(() => {
    const links = panel.current?.querySelectorAll<HTMLElement>('[data-node]') ?? [];
    const isEntry = [...links].some((link) => link.tabIndex === 0);
    if (!isEntry) for (const link of links) if (link.dataset.node === first) link.tabIndex = 0;
  });

  const find = (id: string) =>
    panel.current?.querySelector<HTMLElement>(`[data-node="${CSS.escape(id)}"]`);
  const onFocus = ({ target }: FocusEvent<HTMLElement>) => {
    const id = target.dataset.node;
    const place = layout.places.find((it) => it.id === id);
    if (!place || !flow) return;
    for (const link of panel.current?.querySelectorAll<HTMLElement>('[data-node]') ?? []) {
      link.tabIndex = link === target ? 0 : -1;
    }
    const view = findMove(place, flow.getViewport(), sizeOf());
    if (view) void flow.setViewport(view);
  };
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const { node } = (event.target as HTMLElement).dataset;
    if (node === undefined || !isArrow(event.key)) return;
    event.preventDefault();
    const next = walkGraph(layout, node, event.key);
    if (next !== undefined) find(next)?.focus({ preventScroll: true });
  };
  const onClick = (event: MouseEvent<HTMLElement>) => {
    const link = (event.target as HTMLElement).closest<HTMLAnchorElement>('[data-node]');
    const isPlain = !(event.metaKey || event.ctrlKey || event.shiftKey || event.altKey);
    if (!link || !isPlain || event.button !== 0) return;
    event.preventDefault();
    const { node = '' } = link.dataset;
    if (node === FOLD_ID) toggle();
    else if (!choose?.(node)) {
      const { pathname, hash } = new URL(link.href);
      void router.navigate({ to: pathname, hash: hash.slice(1) });
    }
  };

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keys and clicks are those of the links inside
    <div
      className="size-full"
      onFocus={onFocus}
      onKeyDown={onKeyDown}
      onClick={onClick}
      // The browser scrolls to a focused link by itself; here the view moves instead.
      onScrollCapture={({ target }) => {
        if (target instanceof Element) target.scrollTo(0, 0);
      }}
    >
      <ReactFlow
        {...FLOW_PROPS}
        nodes={nodes}
        nodeTypes={nodeTypes}
        onInit={setFlow}
        defaultViewport={opened}
        minZoom={0.03}
        nodesConnectable={false}
      >
        <GraphEdges layout={layout} critical={critical} />
        <ZoomLevel of={panel} />
        <GraphControls finished={finished} isFolded={isFolded} toggle={toggle} />
      </ReactFlow>
    </div>
  );
}
