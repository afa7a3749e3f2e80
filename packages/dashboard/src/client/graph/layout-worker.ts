import { layOut } from './layout.ts';
import type { LayoutQuestion } from './use-layout.ts';

/** Layouts of large graphs take up to a second, in which a page could not answer. */
addEventListener('message', ({ data: { nodes, at } }: MessageEvent<LayoutQuestion>) => {
  postMessage({ layout: layOut(nodes), at });
});
