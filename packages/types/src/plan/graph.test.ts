import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  deriveBlocks,
  findCriticalPath,
  findCycles,
  findGraphFaults,
  findUnmet,
  type GraphNode,
  isHeldUp,
  orderTopologically,
} from './graph.ts';

const graph = (edges: Record<string, string[]>): GraphNode[] =>
  Object.entries(edges).map(([id, blockedBy]) => ({ id, blockedBy }));

/** Any graph of up to twelve nodes, cycles, self-blocks and unknown ids included. */
const anyGraph = fc
  .integer({ min: 0, max: 12 })
  .chain((size) =>
    fc.array(fc.array(fc.integer({ min: 0, max: 13 }), { maxLength: 4 }), {
      minLength: size,
      maxLength: size,
    }),
  )
  .map((lists) => lists.map((list, i) => ({ id: `n${i}`, blockedBy: list.map((n) => `n${n}`) })));

/** Only earlier nodes block later ones, so there is no cycle. */
const acyclic = anyGraph.map((nodes) =>
  nodes.map((node, i) => ({
    id: node.id,
    blockedBy: node.blockedBy.filter((id) => Number(id.slice(1)) < i),
  })),
);

describe('faults', () => {
  test('are named one by one', () => {
    const nodes = graph({ a: ['a', 'ghost'], b: ['c'], c: ['d'], d: ['b'], e: ['d'] });
    expect(findGraphFaults([...nodes, { id: 'e', blockedBy: [] }])).toEqual({
      missing: [{ id: 'a', blockedBy: 'ghost' }],
      selfBlocked: ['a'],
      duplicates: ['e'],
      cycles: [['b', 'c', 'd', 'b']],
    });
  });

  test('two circles that touch are both named', () => {
    const nodes = graph({ a1: ['b1', 'a2'], a2: ['a1'], b1: ['b2'], b2: ['b1'] });
    expect(findCycles(nodes)).toEqual([
      ['b1', 'b2', 'b1'],
      ['a1', 'a2', 'a1'],
    ]);
  });

  test('a cycle is really one, and there is one exactly when no order exists', () => {
    fc.assert(
      fc.property(anyGraph, (nodes) => {
        const blockersOf = new Map(nodes.map((node) => [node.id, node.blockedBy]));
        const cycles = findCycles(nodes);
        for (const cycle of cycles) {
          expect(cycle.length).toBeGreaterThan(2);
          expect(cycle.at(-1)).toBe(cycle[0]);
          expect(new Set(cycle).size).toBe(cycle.length - 1);
          cycle.slice(1).forEach((id, i) => {
            expect(blockersOf.get(cycle[i] ?? '')).toContain(id);
          });
        }
        expect(cycles.length > 0).toBe(orderTopologically(nodes).unordered.length > 0);
      }),
    );
  });

  test('a chain of ten thousand does not overflow', () => {
    const chain = Array.from({ length: 10_000 }, (_, i) => ({
      id: `n${i}`,
      blockedBy: [`n${(i + 1) % 10_000}`],
    }));
    expect(findCycles(chain)[0]).toHaveLength(10_001);
  });
});

describe('order', () => {
  test('puts every node after its blockers and keeps the given order otherwise', () => {
    const nodes = graph({ docs: ['api'], api: ['model'], model: [], extra: [] });
    expect(orderTopologically(nodes).ordered.map((it) => it.id)).toEqual([
      'model',
      'extra',
      'api',
      'docs',
    ]);
    fc.assert(
      fc.property(acyclic, (any) => {
        const { ordered, unordered } = orderTopologically(any);
        expect(unordered).toEqual([]);
        const place = new Map(ordered.map((node, i) => [node.id, i]));
        for (const node of ordered) {
          for (const id of node.blockedBy) {
            expect(place.get(id) ?? -1).toBeLessThan(place.get(node.id) ?? 0);
          }
        }
      }),
    );
  });
});

describe('readiness', () => {
  test('what is unmet is what is not completed; an unknown blocker never completes', () => {
    const [, b, c, d] = graph({ a: [], b: ['a'], c: ['b', 'a'], d: ['ghost'] });
    const completed = new Set(['a']);
    expect([b, c, d].map((node) => node && findUnmet(node, completed))).toEqual([
      [],
      ['b'],
      ['ghost'],
    ]);
  });

  test('completing what is ready, again and again, completes every graph without faults', () => {
    fc.assert(
      fc.property(acyclic, (nodes) => {
        const completed = new Set<string>();
        for (let round = 0; completed.size < nodes.length; round++) {
          expect(round).toBeLessThanOrEqual(nodes.length);
          const ready = nodes.filter(
            (node) => !completed.has(node.id) && findUnmet(node, completed).length === 0,
          );
          expect(ready.length).toBeGreaterThan(0);
          for (const { id } of ready) completed.add(id);
        }
      }),
    );
  });
});

test('the critical path is the heaviest chain', () => {
  const nodes = graph({ a: [], b: ['a'], c: ['b'], x: [], c2: ['x', 'a'] });
  expect(findCriticalPath(nodes)).toEqual(['a', 'b', 'c']);
  expect(findCriticalPath(nodes, (node) => (node.id === 'x' ? 9 : 1))).toEqual(['x', 'c2']);
  expect(findCriticalPath([])).toEqual([]);
});

test('blocks is the mirror of blockedBy', () => {
  fc.assert(
    fc.property(anyGraph, (nodes) => {
      const blocks = deriveBlocks(nodes);
      for (const node of nodes) {
        for (const other of nodes) {
          expect(blocks.get(node.id)?.includes(other.id)).toBe(other.blockedBy.includes(node.id));
        }
      }
    }),
  );
});

test('a task that waits for a person holds up only what depends on it', () => {
  const task = (id: string, more: object = {}) => ({
    id,
    status: 'pending' as const,
    blockedBy: [] as string[],
    ...more,
  });
  const stuck = task('a', { escalated: true });
  const after = task('b', { blockedBy: ['a'] });
  const last = task('c', { blockedBy: ['b'] });
  expect(isHeldUp([stuck, after, last])).toBe(true);
  expect(isHeldUp([stuck, after, last, task('d')])).toBe(false);
  expect(isHeldUp([stuck, task('d', { status: 'completed' })])).toBe(true);
  expect(isHeldUp([after, task('a')])).toBe(false);
});
