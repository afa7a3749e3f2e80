import { BaseEdge, type Edge, type EdgeProps } from '@xyflow/react';
import { memo } from 'react';

export type LaidEdgeType = Edge<{ path: string }, 'laid'>;

/** An edge as it was laid out: around the nodes between its ends. */
export const LaidEdge = memo(function LaidEdge(props: EdgeProps<LaidEdgeType>) {
  const { data, markerEnd, style = {} } = props;
  return (
    <BaseEdge
      path={data?.path ?? ''}
      style={style}
      {...(markerEnd === undefined ? {} : { markerEnd })}
    />
  );
});
