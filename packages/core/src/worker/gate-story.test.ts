import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { pathWithout } from '../../../../test/rig/programs/path-without.ts';
import { createProject } from '../../../../test/rig/project/project.ts';
import { loadEvidence } from '../plan/load-evidence.ts';
import { loadStory, saveTaskFields } from '../plan/stories.ts';
import { acquireLock } from '../processes/lock.ts';
import { workerLock } from '../project/paths.ts';
import { gateStory, requireGateable } from './gate-story.ts';
import { ensureWorktree } from './prepare/ensure-worktree.ts';

test('the gate alone needs a worktree, no worker beside it, and no client', async () => {
  using it = createProject();
  it.story('x', { verify: 'test -f fixed.txt' }, { one: {} });
  const noWorktree = { code: 'no-worktree', hint: expect.stringContaining('saga run x') };
  expect(() => requireGateable(it.paths, 'x')).toThrow(expect.objectContaining(noWorktree));
  await expect(gateStory(it.worker())).rejects.toMatchObject(noWorktree);
  expect(existsSync(it.worktrees)).toBe(false);

  const { folder } = await ensureWorktree(it.worker());
  await saveTaskFields(it.paths, 'x', 'one', { status: 'completed' });
  const lock = await acquireLock(workerLock(it.paths, 'x'), 0);
  const taken = { code: 'in-flight', hint: expect.stringContaining('saga logs -f x') };
  expect(() => requireGateable(it.paths, 'x')).toThrow(expect.objectContaining(taken));
  await expect(gateStory(it.worker())).rejects.toMatchObject(taken);
  lock.release();

  // What a person left uncommitted is named, stays as it is, and does not help verify.
  writeFileSync(join(folder, 'fixed.txt'), 'fixed\n');
  const env = { ...it.env, PATH: pathWithout({ home: it.home, environment: it.env }, 'claude') };
  const worker = it.worker({}, { env });
  expect(await gateStory(worker)).toMatchObject({
    kind: 'needs-you',
    cause: { kind: 'gate', checks: ['changed', 'committed', 'verify'] },
  });
  expect(it.gitIn(folder, 'status', '--porcelain')).toBe('?? fixed.txt\n');
  it.gitIn(folder, 'add', '-A');
  it.gitIn(folder, 'commit', '-q', '-m', 'Mend it');
  expect(await gateStory(worker)).toMatchObject({ kind: 'done' });
  const { home } = loadStory(it.paths, 'x');
  expect(loadEvidence(it.paths, home)).toMatchObject({ outcome: 'passed' });
  expect(loadEvidence(it.paths, home)).not.toHaveProperty('client');
});

test('a gate alone that is stopped, or out of time, says so and judges nothing', async () => {
  using it = createProject();
  it.story('x', { verify: 'sleep 600' }, { one: {} });
  const { folder } = await ensureWorktree(it.worker());
  await saveTaskFields(it.paths, 'x', 'one', { status: 'completed' });
  const stop = new AbortController();
  const gate = gateStory(it.worker({}, { stop: stop.signal }));
  await expect.poll(() => it.said('gate:verify').length).toBe(1);
  stop.abort('stopped by SIGINT');
  expect(await gate).toEqual({
    kind: 'stopped',
    cause: { kind: 'stopped', why: 'stopped by SIGINT' },
  });
  expect(existsSync(join(folder, '.saga/stories/x/evidence.json'))).toBe(false);
});
