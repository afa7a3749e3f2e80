import { Handle, type Node, type NodeProps, Position } from '@xyflow/react';
import { memo } from 'react';
import { EDGE, WASH } from '../state/tone-classes.ts';
import { Flash } from '../ui/flash.tsx';
import { StateGlyph } from '../ui/state-glyph.tsx';
import type { GraphItem } from './graph-item.ts';
import { NODE_SIZE } from './layout.ts';

export type ItemNodeType = Node<{ item: GraphItem; isCritical: boolean }, 'item'>;

const HANDLE = '!pointer-events-none !size-1 !min-h-0 !min-w-0 !border-0 !bg-transparent';

/**
 * The left edge and the glyph show the state. How much of the text is shown depends on the zoom, by style sheet
 * (`graph-…`): text is never smaller than 11 px. A plain link, since the graph itself listens for clicks: hundreds
 * of links of the router would each listen on their own.
 */
export const ItemNode = memo(function ItemNode({
  data: { item, isCritical },
}: NodeProps<ItemNodeType>) {
  const { state } = item;
  const isActive = state.tone === 'running' || state.tone === 'needs-you';
  return (
    <>
      <Handle type="target" position={Position.Left} isConnectable={false} className={HANDLE} />
      <a
        href={item.href === '' ? '#unfold' : `${item.href}${item.hash ? `#${item.hash}` : ''}`}
        data-row
        data-node={item.id}
        data-named={isActive || undefined}
        tabIndex={-1}
        title={`${item.title}: ${state.word}${item.detail ? `, ${item.detail}` : ''}`}
        style={NODE_SIZE}
        className={`graph-node nopan pointer-events-auto flex items-center gap-1.5 rounded-lg border border-l-4 border-line bg-panel pl-1.5 pr-2.5 text-left hover:bg-hover ${isCritical ? 'shadow-md' : ''} ${EDGE[state.tone]}`}
      >
        <span aria-hidden="true" className={`graph-wash ${WASH[state.tone]}`} />
        <span className="graph-glyph">
          <StateGlyph state={state} />
        </span>
        <span className="graph-text min-w-0 grow">
          <span className="flex items-baseline gap-2">
            <span className="graph-title font-medium">{item.title}</span>
            <Flash
              value={item.progress}
              isStill
              className="graph-detail ml-auto shrink-0 text-faint empty:hidden"
            >
              {item.progress}
            </Flash>
          </span>
          <span className="graph-detail block truncate text-faint">{item.detail}</span>
        </span>
      </a>
      <Handle type="source" position={Position.Right} isConnectable={false} className={HANDLE} />
    </>
  );
});
