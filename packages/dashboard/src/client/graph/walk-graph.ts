import type { Layout, Placed } from './layout.ts';

const ARROWS = ['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown'] as const;
export type Arrow = (typeof ARROWS)[number];

export const isArrow = (key: string): key is Arrow => ARROWS.some((arrow) => arrow === key);

/** Arrow keys walk along edges to the left and right, and within a layer up and down. */
export function walkGraph({ places, edges }: Layout, from: string, key: Arrow): string | undefined {
  const at = places.find(({ id }) => id === from);
  if (!at) return undefined;
  const isUp = key === 'ArrowUp';
  if (isUp || key === 'ArrowDown') {
    const layer = places.filter(({ x, y }) => x === at.x && (isUp ? y < at.y : y > at.y));
    return nearest(layer, at);
  }
  const ends =
    key === 'ArrowRight'
      ? edges.filter(({ source }) => source === from).map(({ target }) => target)
      : edges.filter(({ target }) => target === from).map(({ source }) => source);
  return nearest(
    places.filter(({ id }) => ends.includes(id)),
    at,
  );
}

function nearest(places: readonly Placed[], { y }: Placed): string | undefined {
  return places.toSorted((a, b) => Math.abs(a.y - y) - Math.abs(b.y - y))[0]?.id;
}
