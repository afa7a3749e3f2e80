import { expect, test } from 'vitest';
import { until } from '../../../../test/rig/programs/until.ts';
import type { Lease } from './engine.ts';
import { LeaseKeeper } from './lease-keeper.ts';

/** A lease whose engine answers as the test says. */
function createLease(renew: () => Promise<boolean>): Lease {
  return {
    job: {
      repository: { key: 'k', url: 'u' },
      kind: 'story',
      id: 'cart',
      needs: [],
      flags: {},
      anyway: false,
      by: 'me',
    },
    number: 7,
    takenAt: 0,
    earlier: 0,
    renew,
    finish: async () => true,
    giveBack: async () => {},
  };
}

const HOUR = 3_600_000;

test('a lease that the engine confirms lets a machine push', async () => {
  using keeper = new LeaseKeeper(
    createLease(async () => true),
    {
      machine: 'ant',
      leaseMs: HOUR,
      onLost: () => {},
    },
  );
  expect(await keeper.check()).toBeUndefined();
  expect(keeper).toMatchObject({ lease: 7, machine: 'ant', isLost: false });
});

test('a lost lease is told once, and nothing is pushed any more', async () => {
  const lost: string[] = [];
  using keeper = new LeaseKeeper(
    createLease(async () => false),
    {
      machine: 'ant',
      leaseMs: HOUR,
      onLost: (reason) => lost.push(reason),
    },
  );
  expect(await keeper.check()).toContain('lease 7 is over');
  expect(await keeper.check()).toContain('another machine may work on cart');
  expect(lost).toHaveLength(1);
  expect(keeper.isLost).toBe(true);
});

test('while the engine is away, a machine pushes until its lease may be over, and again once it was renewed', async () => {
  let answer: () => Promise<boolean> = async () => {
    throw new Error('nobody answers');
  };
  const away: (string | undefined)[] = [];
  using long = new LeaseKeeper(
    createLease(() => answer()),
    {
      machine: 'ant',
      leaseMs: HOUR,
      onLost: () => {},
      onAway: (reason) => away.push(reason),
    },
  );
  expect(await long.check()).toBeUndefined();
  expect(away).toEqual(['nobody answers']);
  using short = new LeaseKeeper(
    createLease(() => answer()),
    {
      machine: 'ant',
      leaseMs: 60,
      onLost: () => {},
    },
  );
  await until(async () => (await short.check()) !== undefined);
  expect(await short.check()).toContain('the engine cannot be reached (nobody answers)');
  answer = async () => true;
  expect(await short.check()).toBeUndefined();
  expect(await long.check()).toBeUndefined();
  expect(away).toEqual(['nobody answers', undefined]);
});

test('an engine that never answers counts as away', async () => {
  using keeper = new LeaseKeeper(
    createLease(() => new Promise<boolean>(() => {})),
    { machine: 'ant', leaseMs: 60, onLost: () => {} },
  );
  await until(async () => (await keeper.check())?.includes('no answer within') ?? false);
  expect(keeper.isLost).toBe(false);
});
