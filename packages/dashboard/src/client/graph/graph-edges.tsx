import { ViewportPortal } from '@xyflow/react';
import { memo } from 'react';
import { formatPath, type LaidEdge, type Layout } from './layout.ts';

interface GraphEdgesProps {
  layout: Layout;
  critical: ReadonlySet<string>;
}

/**
 * All edges in one picture behind the nodes, as they were laid out. They take no clicks, so the graph library, which
 * makes an element tree for each edge, need not know them.
 */
export const GraphEdges = memo(function GraphEdges({ layout, critical }: GraphEdgesProps) {
  const { width, height, edges } = layout;
  const isCritical = ({ source, target }: LaidEdge) => critical.has(source) && critical.has(target);
  const heavy = edges.filter(isCritical);
  const light = edges.filter((edge) => !isCritical(edge));
  return (
    <ViewportPortal>
      <svg aria-hidden="true" width={width} height={height} className="graph-edges">
        <defs>
          <Arrow id="graph-arrow" className="fill-edge" />
          <Arrow id="graph-arrow-heavy" className="fill-soft" />
        </defs>
        {light.map((edge) => (
          <path
            key={`${edge.source} ${edge.target}`}
            d={formatPath(edge.points)}
            markerEnd="url(#graph-arrow)"
            className="graph-edge stroke-edge"
          />
        ))}
        {heavy.map((edge) => (
          <path
            key={`${edge.source} ${edge.target}`}
            d={formatPath(edge.points)}
            markerEnd="url(#graph-arrow-heavy)"
            className="graph-edge stroke-soft stroke-[2.25px]"
          />
        ))}
      </svg>
    </ViewportPortal>
  );
});

function Arrow({ id, className }: { id: string; className: string }) {
  return (
    <marker
      id={id}
      viewBox="0 0 8 8"
      refX={7}
      refY={4}
      markerWidth={8}
      markerHeight={8}
      markerUnits="userSpaceOnUse"
      orient="auto"
    >
      <path d="M0 0L8 4L0 8Z" className={className} />
    </marker>
  );
}
