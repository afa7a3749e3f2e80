import { Handle, type Node, type NodeProps, Position } from '@xyflow/react';
import { memo } from 'react';
import { NODE_SIZE } from '../../graph/layout.ts';
import type { OrderItem } from './order-items.ts';

export interface OrderNodeFacts extends Record<string, unknown> {
  item: OrderItem;
  isChosen: boolean;
  /** True if this node was picked up by keyboard. The node that is chosen next will wait for it. */
  isPicked: boolean;
}

export type OrderNodeType = Node<OrderNodeFacts, 'order'>;

/** A node with a grip on its right side. A line from the grip to another node makes that node wait for this one. */
export const OrderNode = memo(function OrderNode({
  data: { item, isChosen, isPicked },
}: NodeProps<OrderNodeType>) {
  return (
    <>
      <Handle
        type="target"
        position={Position.Left}
        isConnectableStart={false}
        className="order-target"
      />
      <button
        type="button"
        data-node={item.id}
        aria-pressed={isChosen}
        tabIndex={-1}
        style={NODE_SIZE}
        className={`nopan pointer-events-auto grid content-center rounded-lg border bg-panel px-3 pr-6 text-left hover:bg-hover ${isPicked ? 'border-running ring-2 ring-running' : isChosen ? 'border-ink' : 'border-control'}`}
      >
        <span className="truncate text-sm font-medium">{item.title}</span>
        <span className="truncate text-xs text-faint">{item.detail}</span>
        <span className="sr-only">
          {item.blockedBy.length > 0 ? `, waits for ${item.blockedBy.join(', ')}` : ''}
          {isPicked ? ', picked up' : ''}
        </span>
      </button>
      <Handle
        type="source"
        position={Position.Right}
        isConnectableEnd={false}
        className="order-grip"
        title={`Drag to what must wait for ${item.title}`}
      />
    </>
  );
});
