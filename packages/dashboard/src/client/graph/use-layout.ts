import type { GraphNode } from '@saga-ai/types/plan/graph';
import { useEffect, useRef, useState } from 'react';
import type { Layout } from './layout.ts';

export interface LayoutQuestion {
  nodes: GraphNode[];
  /** The number of the question. */
  at: number;
}

/**
 * Lays a graph out in a worker. The layout depends on the shape of the graph only, so a change of state moves no node.
 * Returns undefined until the first layout is there. Later it returns the last layout until the next one is there.
 */
export function useLayout(nodes: readonly GraphNode[]): Layout | undefined {
  const [layout, setLayout] = useState<Layout>();
  const worker = useRef<Worker>(undefined);
  const asked = useRef(0);
  const shape = nodes.map(({ id, blockedBy }) => `${id}<${blockedBy.join(',')}`).join(' ');
  useEffect(() => {
    const own = new Worker(new URL('./layout-worker.ts', import.meta.url), { type: 'module' });
    own.addEventListener('message', ({ data }: MessageEvent<{ layout: Layout; at: number }>) => {
      if (data.at === asked.current) setLayout(data.layout);
    });
    worker.current = own;
    return () => own.terminate();
  }, []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only another shape needs another layout
  useEffect(() => {
    const plain = nodes.map(({ id, blockedBy }) => ({ id, blockedBy: [...blockedBy] }));
    worker.current?.postMessage({ nodes: plain, at: ++asked.current } satisfies LayoutQuestion);
  }, [shape]);
  return layout;
}
