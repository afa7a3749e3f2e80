import { Link } from '@tanstack/react-router';
import { Handle, type Node, type NodeProps, Position } from '@xyflow/react';
import { memo } from 'react';
import { EDGE } from '../state/tone-classes.ts';
import { Flash } from '../ui/flash.tsx';
import { StateGlyph } from '../ui/state-glyph.tsx';
import type { GraphItem } from './graph-item.ts';

export type ItemNodeType = Node<{ item: GraphItem; isCritical: boolean }, 'item'>;

export const NODE_SIZE = { width: 224, height: 58 };

const HANDLE = '!pointer-events-none !size-1 !min-h-0 !min-w-0 !border-0 !bg-transparent';

/** The left edge and the glyph show the state. */
export const ItemNode = memo(function ItemNode({
  data: { item, isCritical },
}: NodeProps<ItemNodeType>) {
  const { state } = item;
  const weight = isCritical ? 'shadow-md' : '';
  return (
    <>
      <Handle type="target" position={Position.Left} isConnectable={false} className={HANDLE} />
      <Link
        to={item.href}
        {...(item.hash === undefined ? {} : { hash: item.hash })}
        data-row
        title={`${item.title}: ${state.word}${item.detail ? `, ${item.detail}` : ''}`}
        style={NODE_SIZE}
        className={`nopan pointer-events-auto flex items-center gap-1.5 rounded-lg border border-l-4 border-line bg-panel pl-1.5 pr-2.5 text-left hover:bg-hover ${weight} ${EDGE[state.tone]}`}
      >
        <StateGlyph state={state} />
        <span className="min-w-0 grow">
          <span className="flex items-baseline gap-2">
            <span className="truncate text-sm font-medium">{item.title}</span>
            <Flash value={item.progress} className="ml-auto shrink-0 text-xs text-faint">
              {item.progress}
            </Flash>
          </span>
          <Flash value={item.detail} className="block h-[1.125rem] truncate text-xs text-faint">
            {item.detail}
          </Flash>
        </span>
      </Link>
      <Handle type="source" position={Position.Right} isConnectable={false} className={HANDLE} />
    </>
  );
});
