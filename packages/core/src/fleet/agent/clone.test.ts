import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createProject } from '../../../../../test/rig/project/project.ts';
import { nameRepository } from '../repository-name.ts';
import { openClone, refreshClone } from './clone.ts';

/** A machine that has no clone yet. */
function createMachine() {
  const it = createProject();
  const data = join(it.folder, 'data');
  const repository = nameRepository(it.origin);
  return Object.assign(it, {
    around: join(data, 'fleet', repository.key),
    openClone: (url = it.origin) => openClone(data, repository, url, it.env),
  });
}

test('jobs that begin at the same time on a new machine share one clone', async () => {
  using it = createMachine();
  const clones = await Promise.all([it.openClone(), it.openClone(), it.openClone()]);
  expect(new Set(clones.map(({ paths }) => paths.root)).size).toBe(1);
  // No second clone was begun, and nothing half-made is left.
  expect(readdirSync(it.around)).toEqual(['repository']);
  const [first] = clones;
  if (first) await refreshClone(first);
  expect(it.gitIn(join(it.around, 'repository'), 'rev-parse', 'HEAD')).toBe(
    it.git('rev-parse', 'origin/main'),
  );
});

test('a clone that is there is used as it is', async () => {
  using it = createMachine();
  await it.openClone();
  // The address is not looked at any more.
  const { paths } = await it.openClone(join(it.folder, 'nowhere'));
  expect(paths.root).toBe(join(it.around, 'repository'));
});

test('a clone that fails leaves nothing behind, fails for all who wait, and is made by the next one', async () => {
  using it = createMachine();
  const nowhere = join(it.folder, 'nowhere');
  const both = await Promise.allSettled([it.openClone(nowhere), it.openClone(nowhere)]);
  for (const one of both) {
    expect(one).toMatchObject({ status: 'rejected', reason: { code: 'git-failed' } });
  }
  expect(readdirSync(it.around)).toEqual([]);
  await it.openClone();
  expect(existsSync(join(it.around, 'repository', '.git'))).toBe(true);
});
