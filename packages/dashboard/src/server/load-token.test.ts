import { chmodSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { dashboardTokenFile } from '@saga-ai/core/project/paths';
import { expect, test } from 'vitest';
import { createPlan } from '../../../../test/rig/project/plan.ts';
import { loadToken } from './load-token.ts';

const userId = process.getuid?.();

test('a restart finds the token again, and only its user can read it', () => {
  using plan = createPlan();
  const token = loadToken(plan.paths, userId);
  expect(token).toMatch(/^[\w-]{32}$/);
  expect(loadToken(plan.paths, userId)).toBe(token);
  expect(statSync(dashboardTokenFile(plan.paths)).mode & 0o777).toBe(0o600);
});

test.each<[string, (file: string) => void]>([
  ['others could read it', (file) => chmodSync(file, 0o644)],
  ['it is no token', (file) => writeFileSync(file, 'short\n')],
  ['it is empty', (file) => writeFileSync(file, '')],
])('a new token is made if %s', (_, spoil) => {
  using plan = createPlan();
  const token = loadToken(plan.paths, userId);
  spoil(dashboardTokenFile(plan.paths));
  const next = loadToken(plan.paths, userId);
  expect(next).not.toBe(token);
  expect(loadToken(plan.paths, userId)).toBe(next);
  expect(statSync(dashboardTokenFile(plan.paths)).mode & 0o777).toBe(0o600);
});

test('a token of another user is not taken', () => {
  using plan = createPlan();
  const token = loadToken(plan.paths, userId);
  expect(loadToken(plan.paths, (userId ?? 0) + 1)).not.toBe(token);
});

test('where nothing can be written there is a token all the same', () => {
  using plan = createPlan();
  mkdirSync(dashboardTokenFile(plan.paths), { recursive: true });
  expect(loadToken(plan.paths, userId)).toMatch(/^[\w-]{32}$/);
});
