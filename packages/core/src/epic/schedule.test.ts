import { describe, expect, test } from 'vitest';
import { checkSchedules } from '../../../../test/rig/epic/check-schedules.ts';
import { type Candidate, type Limits, type Standing, schedule } from './schedule.ts';

const LIMITS: Limits = {
  jobs: 2,
  isPaused: false,
  failFast: false,
  isOver: false,
  isReviewed: false,
};

const story = (
  id: string,
  standing: Standing,
  needs: string[] = [],
  writes: string[] = [],
): Candidate => ({ id, kind: 'story', epic: 'shop', needs, writes, standing });

/** `model` and `api` in parallel, then `pay`. */
const diamond = (...standings: [Standing, Standing, Standing, Standing]) => [
  story('base', standings[0]),
  story('model', standings[1], ['base']),
  story('api', standings[2], ['base']),
  story('pay', standings[3], ['model', 'api']),
];

describe('what begins', () => {
  test('only what nothing stands before', () => {
    const { start, holds, phase } = schedule(diamond('open', 'open', 'open', 'open'), LIMITS);
    expect(start).toEqual(['base']);
    expect(holds.get('model')).toEqual({ why: 'needs', by: ['base'] });
    expect(holds.get('pay')).toEqual({ why: 'needs', by: ['model', 'api'] });
    expect(phase).toBe('working');
  });

  test('what passed its gate releases nobody before it is merged', () => {
    const { start, merge } = schedule(diamond('passed', 'open', 'open', 'open'), LIMITS);
    expect({ start, merge }).toEqual({ start: [], merge: 'base' });
    expect(schedule(diamond('merged', 'open', 'open', 'open'), LIMITS).start).toEqual([
      'model',
      'api',
    ]);
  });

  test('as many as there are jobs, the longest way to the end first', () => {
    const three = [
      story('short', 'open'),
      story('long', 'open'),
      story('middle', 'open'),
      story('after', 'open', ['long', 'middle']),
      story('last', 'open', ['after', 'long']),
    ];
    const { start, holds } = schedule(three, LIMITS);
    expect(start).toEqual(['long', 'middle']);
    expect(holds.get('short')).toEqual({ why: 'jobs' });
  });

  test('never two that write the same files, until the first is merged', () => {
    const pair = (first: Standing) => [
      story('one', first, [], ['src/cart']),
      story('two', 'open', [], ['src/**/*.ts']),
      story('three', 'open', [], ['docs/**']),
    ];
    for (const first of ['open', 'running', 'passed'] as const) {
      const { holds, start } = schedule(pair(first), { ...LIMITS, jobs: 3 });
      expect(holds.get('two')).toEqual({ why: 'overlap', by: ['one'] });
      expect(start).toContain('three');
    }
    expect(schedule(pair('merged'), LIMITS).start).toEqual(['two', 'three']);
  });

  test('only what was chosen', () => {
    const all = [story('one', 'open'), story('two', 'open')];
    const { start, holds, phase } = schedule(all, { ...LIMITS, chosen: new Set(['two']) });
    expect(start).toEqual(['two']);
    expect(holds.get('one')).toEqual({ why: 'not-chosen' });
    expect(phase).toBe('working');
  });

  test('once all that was chosen is merged, the run is over', () => {
    const all = (two: Standing) => [story('one', 'open'), story('two', two)];
    const phaseOf = (two: Standing) =>
      schedule(all(two), { ...LIMITS, chosen: new Set(['two']) }).phase;
    expect(phaseOf('passed')).toBe('working');
    expect(phaseOf('merged')).toBe('done');
  });
});

describe('what stands in the way', () => {
  test('what waits for something stuck is cut off, and its siblings go on', () => {
    const { start, holds, phase } = schedule(diamond('merged', 'stuck', 'open', 'open'), LIMITS);
    expect(start).toEqual(['api']);
    expect(holds.get('pay')).toEqual({ why: 'cut-off', by: ['model'] });
    expect(phase).toBe('working');
    expect(schedule(diamond('merged', 'stuck', 'merged', 'open'), LIMITS).phase).toBe('people');
  });

  test('fail-fast stops everything', () => {
    const candidates = diamond('merged', 'stuck', 'running', 'open');
    const { start, stop, holds } = schedule(candidates, { ...LIMITS, failFast: true });
    expect({ start, stop }).toEqual({ start: [], stop: ['api'] });
    expect(holds.get('pay')).toEqual({ why: 'cut-off', by: ['model'] });
  });

  test('paused, nothing begins and nothing is merged, and what runs goes on', () => {
    const candidates = diamond('merged', 'passed', 'open', 'open');
    const { start, stop, merge, phase } = schedule(candidates, { ...LIMITS, isPaused: true });
    expect({ start, stop, merge, phase }).toEqual({
      start: [],
      stop: [],
      merge: undefined,
      phase: 'paused',
    });
  });

  test('over, what runs is stopped', () => {
    const { start, stop } = schedule(diamond('merged', 'running', 'open', 'open'), {
      ...LIMITS,
      isOver: true,
    });
    expect({ start, stop }).toEqual({ start: [], stop: ['model'] });
    const after = diamond('merged', 'open', 'open', 'open');
    expect(schedule(after, { ...LIMITS, isOver: true }).phase).toBe('over');
  });
});

describe('what is merged', () => {
  test('one at a time', () => {
    const candidates = diamond('merged', 'passed', 'passed', 'open');
    expect(schedule(candidates, LIMITS).merge).toBe('model');
    expect(schedule(candidates, { ...LIMITS, merging: 'model' }).merge).toBeUndefined();
  });

  test('a story whose merge failed is not started before that merge has ended', () => {
    const candidates = diamond('merged', 'open', 'merged', 'open');
    expect(schedule(candidates, LIMITS).start).toEqual(['model']);
    const during = schedule(candidates, { ...LIMITS, merging: 'model' });
    expect(during).toMatchObject({ start: [], phase: 'working' });
  });

  test('an inner epic, once all its children are', () => {
    const inner = (child: Standing): Candidate[] => [
      { id: 'inner', kind: 'epic', epic: 'shop', needs: [], writes: [], standing: 'open' },
      { ...story('deep', child), epic: 'inner' },
      story('after', 'open', ['inner']),
    ];
    expect(schedule(inner('passed'), LIMITS)).toMatchObject({ merge: 'deep', start: [] });
    expect(schedule(inner('merged'), LIMITS)).toMatchObject({ merge: 'inner', start: [] });
    const merged = inner('merged').map((it) =>
      it.id === 'inner' ? { ...it, standing: 'merged' as const } : it,
    );
    expect(schedule(merged, LIMITS)).toMatchObject({ start: ['after'] });
  });

  test('nothing, if a person merges; then all is done once everything passed', () => {
    const reviewed = { ...LIMITS, isReviewed: true };
    const waiting = schedule(diamond('passed', 'open', 'open', 'open'), reviewed);
    expect(waiting).toMatchObject({ start: [], phase: 'people' });
    expect(waiting.merge).toBeUndefined();
    expect(schedule(diamond('merged', 'merged', 'merged', 'passed'), reviewed).phase).toBe('done');
  });

  test('with everything merged, it is done', () => {
    expect(schedule(diamond('merged', 'merged', 'merged', 'merged'), LIMITS).phase).toBe('done');
    expect(schedule([], LIMITS).phase).toBe('done');
  });
});

test('any plan, with failures, help and kills: everything reachable is merged once, in order', () => {
  checkSchedules(1000);
});
