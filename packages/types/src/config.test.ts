import { expect, test } from 'vitest';
import { CONFIG_KEYS, Config } from './config.ts';
import { formatConfigVariable } from './config-variable.ts';

test('an empty file is every default', () => {
  const config = Config.parse({});
  expect(config.worker).toMatchObject({ maxCycles: 10, maxTime: 60, model: 'opus', mode: 'story' });
  expect(config.worker).toMatchObject({ maxAttempts: 3, permissions: 'guarded', sandbox: 'auto' });
  expect(config.checkIn).toEqual({ minutes: 3, misses: 2 });
  expect(config.ceiling).toEqual({ files: 5, lines: 200 });
  expect(config.pullRequest.mode).toBe('auto');
});

test.each([
  { worker: { maxCylces: 3 } },
  { wroker: {} },
  { worker: { maxCycles: 0 } },
  { worker: { maxCycles: '3' } },
  { worker: { mode: 'epic' } },
  { dashboard: { port: 70000 } },
])('%j is refused', (input) => {
  expect(Config.safeParse(input).success).toBe(false);
});

test('every key has its own variable', () => {
  expect(formatConfigVariable('worker.maxCycles')).toBe('SAGA_WORKER_MAX_CYCLES');
  expect(formatConfigVariable('checkIn.minutes')).toBe('SAGA_CHECK_IN_MINUTES');
  expect(new Set(CONFIG_KEYS.map(formatConfigVariable)).size).toBe(CONFIG_KEYS.length);
});
