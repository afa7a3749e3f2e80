import type { Viewport } from '@xyflow/react';
import type { GraphItem } from './graph-item.ts';
import { type Layout, NODE_SIZE, type Point } from './layout.ts';

/** At this zoom a node still shows all its text. */
const LEGIBLE = 0.75;
const MARGIN = 24;
/** The height of the strip below the graph, which has its buttons. */
const CONTROLS = 32;
const MOST_HEIGHT = 680;
const LEAST_HEIGHT = 180;

export interface Size {
  width: number;
  height: number;
}

/**
 * Chooses the height of a graph's panel, so that the part fits that is shown when the panel opens. The height is a
 * guess until the layout is there.
 */
export function choosePanelHeight(
  layout: Layout | undefined,
  width: number,
  nodes: number,
): number {
  const guess = Math.ceil(Math.sqrt(nodes)) * (NODE_SIZE.height + 18);
  const needed = layout && width > 0 ? layout.height * chooseZoom(layout, width) : guess;
  return Math.round(Math.min(Math.max(needed + 2 * MARGIN + CONTROLS, LEAST_HEIGHT), MOST_HEIGHT));
}

/** Returns the view of the whole graph if it is legible; else a legible view of the part where something happens. */
export function chooseView(layout: Layout, items: readonly GraphItem[], panel: Size): Viewport {
  const zoom = chooseZoom(layout, panel.width);
  const centre = findCentre(layout, items);
  return {
    zoom,
    x: placeAxis(layout.width * zoom, panel.width, centre.x * zoom),
    y: placeAxis(layout.height * zoom, panel.height - CONTROLS, centre.y * zoom),
  };
}

const chooseZoom = ({ width }: Layout, panelWidth: number) =>
  Math.min(1, Math.max(LEGIBLE, (panelWidth - 2 * MARGIN) / Math.max(1, width)));

/**
 * Centres the graph along one axis if it fits. Otherwise shows the wanted place, without empty space beyond the graph.
 */
function placeAxis(length: number, room: number, wanted: number): number {
  if (length <= room - 2 * MARGIN) return (room - length) / 2;
  return Math.min(MARGIN, Math.max(room - length - MARGIN, room / 2 - wanted));
}

/** Finds the first node, by its place, that runs or needs a person; else the first that could start. */
function findCentre({ places }: Layout, items: readonly GraphItem[]): Point {
  const rankOf = new Map(items.map(({ id, state }) => [id, state.rank]));
  const ranked = places.toSorted((a, b) => (rankOf.get(a.id) ?? 9) - (rankOf.get(b.id) ?? 9));
  const { x = 0, y = 0 } = ranked[0] ?? {};
  return { x: x + NODE_SIZE.width / 2, y: y + NODE_SIZE.height / 2 };
}

/** Returns how far a view must move so that a node is inside its panel, or undefined if the node is in sight. */
export function findMove(place: Point, view: Viewport, panel: Size): Viewport | undefined {
  const left = place.x * view.zoom + view.x;
  const top = place.y * view.zoom + view.y;
  const right = left + NODE_SIZE.width * view.zoom;
  const bottom = top + NODE_SIZE.height * view.zoom;
  const dx = left < MARGIN ? MARGIN - left : Math.min(0, panel.width - MARGIN - right);
  const floor = panel.height - MARGIN - CONTROLS;
  const dy = top < MARGIN ? MARGIN - top : Math.min(0, floor - bottom);
  return dx === 0 && dy === 0 ? undefined : { ...view, x: view.x + dx, y: view.y + dy };
}
