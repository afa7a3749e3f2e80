import fc from 'fast-check';
import { expect, test } from 'vitest';
import { deriveLife, LIFE_STATES, type LifeFacts } from './life.ts';

const count = fc.nat({ max: 3 });
const anyFacts: fc.Arbitrary<LifeFacts> = fc.record(
  {
    id: fc.constant('cart'),
    counts: fc.record({ pending: count, in_progress: count, completed: count }),
    worker: fc.record({ task: fc.string() }, { requiredKeys: [] }),
    isInBase: fc.boolean(),
    blockers: fc.array(fc.string(), { maxLength: 2 }),
    answers: fc.constantFrom([], ['Which?']),
    feedback: fc.array(fc.string(), { maxLength: 2 }),
    escalated: fc.array(fc.string(), { maxLength: 2 }),
    gate: fc.record({
      outcome: fc.constantFrom('passed' as const, 'failed' as const),
      failures: fc.array(fc.string(), { maxLength: 2 }),
      isCurrent: fc.boolean(),
      isUnverified: fc.boolean(),
    }),
    lastEnd: fc.record({
      outcome: fc.constantFrom('died', 'stopped', 'limit', 'error', 'needs-you', 'done'),
      reason: fc.string(),
    }),
    hasTwoCopies: fc.boolean(),
    hasBranch: fc.boolean(),
    isBroken: fc.boolean(),
    pr: fc.constant('https://github.com/acme/shop/pull/12'),
    unmet: fc.array(
      fc.record({ id: fc.constant('other'), state: fc.constantFrom(...LIFE_STATES) }),
      {
        maxLength: 2,
      },
    ),
  },
  {
    requiredKeys: [
      'id',
      'counts',
      'isInBase',
      'blockers',
      'feedback',
      'answers',
      'escalated',
      'hasTwoCopies',
      'hasBranch',
      'isBroken',
      'unmet',
    ],
  },
) as fc.Arbitrary<LifeFacts>;

test('what every story keeps to, whatever its facts', () => {
  fc.assert(
    fc.property(anyFacts, (facts) => {
      const { state, reason, next } = deriveLife(facts);
      const { counts } = facts;
      expect(LIFE_STATES).toContain(state);
      expect(reason).not.toBe('undefined');
      // A living worker is always seen, and never invented.
      expect(state === 'running').toBe(facts.worker !== undefined);
      if (state === 'done') {
        expect(facts.isInBase).toBe(true);
        expect(counts.pending + counts.in_progress).toBe(0);
      }
      if (state === 'in review') {
        expect(facts.gate).toMatchObject({ outcome: 'passed', isCurrent: true });
        expect([facts.feedback, facts.answers]).toEqual([[], []]);
        expect(counts.pending + counts.in_progress).toBe(0);
      }
      if (state === 'ready') {
        expect(facts.unmet).toEqual([]);
        expect(facts.blockers).toEqual([]);
        expect(facts.hasBranch || facts.gate !== undefined || counts.completed > 0).toBe(false);
        expect(counts.pending).toBeGreaterThan(0);
      }
      // Only what is done needs nothing more.
      expect(next === undefined).toBe(state === 'done');
    }),
    { numRuns: 2000 },
  );
});
