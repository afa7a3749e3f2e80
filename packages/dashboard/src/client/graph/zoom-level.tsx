import { useStore } from '@xyflow/react';
import { type RefObject, useLayoutEffect } from 'react';

/** Below this zoom, a node shows only its title. */
const TITLE_BELOW = 0.7;
/** Below this zoom, a node is a coloured cell. A node that runs or needs a person keeps its name. */
const CELL_BELOW = 0.42;
/** Below this zoom, there is no room for a glyph. */
const DOT_BELOW = 0.2;

/**
 * Tells the style sheet how far the graph is zoomed, in steps, so that text stays legible. It writes to the element
 * itself: no node is drawn again by React.
 */
export function ZoomLevel({ of }: { of: RefObject<HTMLElement | null> }) {
  const zoom = useStore(({ transform }) => toStep(transform[2]));
  useLayoutEffect(() => {
    const element = of.current;
    if (!element) return;
    element.style.setProperty('--zoom', String(zoom));
    element.dataset.zoom = levelOf(zoom);
  }, [zoom, of]);
  return null;
}

/** Rounds the zoom down, so that text is never too small. */
function toStep(zoom: number): number {
  const steps = zoom < 0.2 ? 200 : 40;
  return Math.max(0.01, Math.floor(zoom * steps) / steps);
}

function levelOf(zoom: number): string {
  if (zoom >= TITLE_BELOW) return 'full';
  if (zoom >= CELL_BELOW) return 'title';
  return zoom >= DOT_BELOW ? 'cell' : 'dot';
}
