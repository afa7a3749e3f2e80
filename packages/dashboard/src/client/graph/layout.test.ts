import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { layOut, NODE_SIZE, type Point } from './layout.ts';

const node = (id: string, ...blockedBy: string[]) => ({ id, blockedBy });
const { width, height } = NODE_SIZE;

test('nodes that can start first come first, and each stands behind what it waits for', () => {
  const { places, edges } = layOut([node('c', 'b'), node('b', 'a'), node('a'), node('d', 'a')]);
  const x = (id: string) => places.find((it) => it.id === id)?.x ?? Number.NaN;
  expect(x('a')).toBeLessThan(x('b'));
  expect(x('b')).toBeLessThan(x('c'));
  expect(places[0]?.id).toBe('a');
  expect(edges).toHaveLength(3);
});

test('nodes without edges stand in rows, not in one column', () => {
  const { places, width: whole } = layOut(Array.from({ length: 8 }, (_, i) => node(`n${i}`)));
  expect(new Set(places.map(({ x }) => x)).size).toBe(4);
  expect(new Set(places.map(({ y }) => y)).size).toBe(2);
  expect(whole).toBeLessThan(5 * width);
});

test('no node covers another, and no edge runs through a node', () => {
  const graphs = fc.array(fc.array(fc.nat(), { maxLength: 3 }), { minLength: 2, maxLength: 24 });
  void fc.assert(
    fc.property(graphs, (waits) => {
      const nodes = waits.map((blockers, i) =>
        node(`n${i}`, ...(i === 0 ? [] : blockers.map((it) => `n${it % i}`))),
      );
      const { places, edges } = layOut(nodes);
      for (const [i, a] of places.entries()) {
        for (const b of places.slice(i + 1)) {
          const apart = Math.abs(a.x - b.x) >= width || Math.abs(a.y - b.y) >= height;
          expect(apart, `${a.id} covers ${b.id}`).toBe(true);
        }
      }
      for (const { source, target, points } of edges) {
        for (const [i, from] of points.slice(0, -1).entries()) {
          const to = points[i + 1] as Point;
          for (const place of places.filter(({ id }) => id !== source && id !== target)) {
            expect(isCrossed(place, from, to), `${source} to ${target} at ${place.id}`).toBe(false);
          }
        }
      }
    }),
    { seed: 7, numRuns: 60 },
  );
});

/** A part of an edge stays between the places of its two ends. */
function isCrossed({ x, y }: Point, from: Point, to: Point): boolean {
  const isBeside = to.x <= x || from.x >= x + width;
  const isAbove = Math.max(from.y, to.y) <= y || Math.min(from.y, to.y) >= y + height;
  return !isBeside && !isAbove;
}
