import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['packages/*/src/**/*.test.ts', 'test/**/*.test.ts'],
    testTimeout: 20_000,
    pool: 'forks',
    maxWorkers: 3,
    // A process of its own for each of 300 files would cost a minute; no test may rely on one.
    isolate: false,
  },
});
