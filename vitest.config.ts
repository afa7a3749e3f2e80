import { defineConfig } from 'vitest/config';

const shared = { testTimeout: 20_000, pool: 'forks' as const };

export default defineConfig({
  test: {
    // They wait for programs most of the time, so there are more of them than cores.
    maxWorkers: 3,
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
          exclude: ['**/node_modules/**', 'test/contract/**'],
        },
      },
    ],
  },
});
