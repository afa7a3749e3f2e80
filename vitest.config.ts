import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { WaitingFirst } from './test/order.ts';
import { SEED } from './test/rig/random/seed.ts';

/**
 * A limit only ends what hangs: it is no measure of speed, so a slow and busy machine must stay far
 * below it. How fast things are is measured in test/bench.
 */
const shared = {
  testTimeout: 900_000,
  hookTimeout: 900_000,
  pool: 'forks' as const,
  expect: { poll: { timeout: 300_000 } },
  setupFiles: ['test/rig/random/fixed-seed.ts', 'test/cost/note-cost.ts'],
  // Chosen here, so that all processes of a run have the same.
  env: { SAGA_SEED: String(SEED) },
};
const BUDGETS = 'test/bench/**/*.budget.ts';
const RUNS = ['test/runs/**/*.test.ts', 'test/attacks/**/*.test.ts'];
const CORPUS = 'test/attacks/corpus/**/*.test.ts';
const BROWSER = 'test/browser/**/*.test.ts';
const FAULTS = 'test/faults/**/*.test.ts';
/** What takes too long for every change: `npm run test:long`. */
const LONG = [
  'test/faults/loops/**/*.test.ts',
  'test/faults/matrix/*-*.test.ts',
  'test/projects/**/*.test.ts',
  'test/runs/fleet/{faults,one-machine,outages,schedulers,clocks}.test.ts',
  'test/runs/demo.test.ts',
  'test/runs/rehearse/remote.test.ts',
];

export default defineConfig({
  test: {
    globalSetup: 'scripts/build/before-tests.ts',
    // They wait for programs most of the time, so there are more of them than cores.
    maxWorkers: availableParallelism() + 1,
    sequence: { sequencer: WaitingFirst },
    projects: [
      {
        test: {
          ...shared,
          name: 'contract',
          include: ['test/contract/**/*.test.ts'],
          // A process for each of 150 files would cost half a minute; all they share is the client.
          isolate: false,
        },
      },
      {
        test: {
          ...shared,
          name: 'all',
          include: ['packages/*/src/**/*.test.ts', 'test/**/*.test.ts'],
          exclude: ['**/node_modules/**', 'test/contract/**', ...RUNS, BROWSER, FAULTS, ...LONG],
        },
      },
      // Every page in Chromium.
      { test: { ...shared, name: 'browser', include: [BROWSER] } },
      // The real client works on stories, and tries to leave them.
      { test: { ...shared, name: 'runs', include: RUNS, exclude: [CORPUS, ...LONG] } },
      // Every known attack, with the sandbox; without it in `long`.
      {
        test: {
          ...shared,
          name: 'attacks',
          include: [CORPUS],
          maxConcurrency: 4,
          env: { ...shared.env, SAGA_ATTACK_MODES: 'required auto' },
        },
      },
      // What is killed in the middle, once each.
      { test: { ...shared, name: 'faults', include: [FAULTS], exclude: LONG } },
      // Every fault at its exact moment, kills at random moments again and again, attacks without the sandbox, fleets
      // whose machines fail, packages from the registry.
      {
        test: {
          ...shared,
          name: 'long',
          include: [...LONG, CORPUS],
          maxConcurrency: 2,
          env: { ...shared.env, SAGA_ATTACK_MODES: 'off' },
        },
      },
      // What must not take longer than it should. One at a time.
      { test: { ...shared, name: 'budgets', include: [BUDGETS], fileParallelism: false } },
    ],
  },
});
