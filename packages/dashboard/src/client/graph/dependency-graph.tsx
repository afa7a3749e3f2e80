import '@xyflow/react/dist/base.css';
import { type Edge, MarkerType, ReactFlow, ReactFlowProvider } from '@xyflow/react';
import { useMemo } from 'react';
import { GraphControls } from './graph-controls.tsx';
import type { GraphItem } from './graph-item.ts';
import { ItemNode, type ItemNodeType, NODE_SIZE } from './item-node.tsx';
import { listEdges, placeNodes } from './place-nodes.ts';

interface DependencyGraphProps {
  label: string;
  items: readonly GraphItem[];
  criticalPath: readonly string[];
}

const nodeTypes = { item: ItemNode };

export default function DependencyGraph({ label, items, criticalPath }: DependencyGraphProps) {
  const shape = items.map(({ id, blockedBy }) => `${id}<${blockedBy.join(',')}`).join(' ');
  // biome-ignore lint/correctness/useExhaustiveDependencies: the layout depends on the shape only, so a change of state moves no node
  const places = useMemo(() => placeNodes(items, NODE_SIZE), [shape]);
  const critical = useMemo(() => listSteps(criticalPath), [criticalPath]);
  const nodes = items.map((item, index): ItemNodeType => {
    const { x = 0, y = 0 } = places[index] ?? {};
    const isCritical = criticalPath.includes(item.id);
    return { id: item.id, type: 'item', position: { x, y }, data: { item, isCritical } };
  });
  const edges = listEdges(items).map(({ source, target }): Edge => {
    const isCritical = critical.has(`${source} ${target}`);
    const stroke = isCritical ? 'var(--soft)' : 'var(--edge)';
    return {
      id: `${source} ${target}`,
      source,
      target,
      style: { stroke, strokeWidth: isCritical ? 2 : 1 },
      markerEnd: { type: MarkerType.ArrowClosed, color: stroke, width: 14, height: 14 },
      zIndex: isCritical ? 1 : 0,
    };
  });
  const height = Math.max(...places.map(({ y }) => y + NODE_SIZE.height), 0);
  return (
    <section
      aria-label={label}
      className="panel relative overflow-hidden"
      style={{ height: Math.min(Math.max(height + 80, 200), 640) }}
    >
      <ReactFlowProvider>
        <ReactFlow
          nodes={nodes}
          edges={edges}
          nodeTypes={nodeTypes}
          fitView
          fitViewOptions={{ padding: 0.06, maxZoom: 1, minZoom: 0.45 }}
          minZoom={0.1}
          maxZoom={2}
          nodesDraggable={false}
          nodesConnectable={false}
          nodesFocusable={false}
          edgesFocusable={false}
          elementsSelectable={false}
          zoomOnScroll={false}
          zoomOnDoubleClick={false}
          preventScrolling={false}
          proOptions={{ hideAttribution: true }}
        >
          <GraphControls />
        </ReactFlow>
      </ReactFlowProvider>
    </section>
  );
}

function listSteps(path: readonly string[]): Set<string> {
  return new Set(path.slice(1).map((id, index) => `${path[index]} ${id}`));
}
