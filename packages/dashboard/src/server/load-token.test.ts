import { chmodSync, existsSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { olderDashboardToken } from '@saga-ai/core/project/paths';
import { findDashboardToken } from '@saga-ai/core/project/person-folders';
import { expect, test } from 'vitest';
import { createPlan } from '../../../../test/rig/project/plan.ts';
import { loadToken } from './load-token.ts';

const userId = process.getuid?.();

function createPlace() {
  const plan = createPlan();
  const env = { HOME: join(plan.root, 'home') };
  const file = findDashboardToken(env, plan.root) ?? '';
  const load = (user = userId) => loadToken(plan.paths, env, user);
  return { ...plan, file, load, [Symbol.dispose]: () => plan[Symbol.dispose]() };
}

test('a restart finds the token again, and only its user can read it', () => {
  using it = createPlace();
  const token = it.load();
  expect(token).toMatch(/^[\w-]{32}$/);
  expect(it.load()).toBe(token);
  expect(statSync(it.file).mode & 0o777).toBe(0o600);
});

test('no run finds a token below the project, also none of an older version', () => {
  using it = createPlace();
  const older = olderDashboardToken(it.paths);
  mkdirSync(join(it.paths.saga, 'runs'), { recursive: true });
  writeFileSync(older, 'x\n');
  it.load();
  expect(existsSync(older)).toBe(false);
  expect(it.file.startsWith(it.paths.saga)).toBe(false);
});

test('each project has a token of its own', () => {
  using one = createPlace();
  const env = { HOME: join(one.root, 'home') };
  expect(findDashboardToken(env, '/a')).not.toBe(findDashboardToken(env, '/b'));
});

test.each<[string, (file: string) => void]>([
  ['others could read it', (file) => chmodSync(file, 0o644)],
  ['it is no token', (file) => writeFileSync(file, 'short\n')],
  ['it is empty', (file) => writeFileSync(file, '')],
])('a new token is made if %s', (_, spoil) => {
  using it = createPlace();
  const token = it.load();
  spoil(it.file);
  const next = it.load();
  expect(next).not.toBe(token);
  expect(it.load()).toBe(next);
  expect(statSync(it.file).mode & 0o777).toBe(0o600);
});

test('a token of another user is not taken', () => {
  using it = createPlace();
  const token = it.load();
  expect(it.load((userId ?? 0) + 1)).not.toBe(token);
});

test('where nothing can be written there is a token all the same', () => {
  using it = createPlace();
  mkdirSync(it.file, { recursive: true });
  expect(it.load()).toMatch(/^[\w-]{32}$/);
  expect(loadToken(it.paths, {}, userId)).toMatch(/^[\w-]{32}$/);
});
