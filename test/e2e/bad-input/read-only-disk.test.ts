import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runOnReadOnlyDisk } from '../../rig/faults/read-only-disk.ts';
import { createTempProject } from '../../rig/project/temp-project.ts';
import { createWorkshop } from '../../rig/worker/workshop.ts';

const COMMANDS = [
  ['create', '--title', 'New one', '--task', 'Do it'],
  ['journal', 'good', 'add', '--title', 'A note'],
  ['task', 'close', '--story', 'good', 'task-1'],
  ['archive', 'good'],
];
const READ_ONLY = 'cannot be written: its file system is read-only';

test.each([
  ['.saga', 'before SAGA wrote anything'],
  ['.saga', 'where SAGA wrote before'],
  ['.git/saga/runs', 'empty'],
])('%s on a read-only disk, %s: every writer says so', async (folder, state) => {
  await using project = await createTempProject();
  project.writeStory('good');
  if (state === 'empty') mkdirSync(project.paths.runs, { recursive: true });
  if (state === 'where SAGA wrote before') {
    await project.saga(['journal', 'good', 'add', '--title', 'First']);
  }
  const before = project.plan();
  for (const args of COMMANDS) {
    const place = join(project.root, folder);
    const { code, stderr } = await runOnReadOnlyDisk(place, args, { cwd: project.root });
    expect({ args, code, stderr }).toMatchObject({ code: 1 });
    expect(stderr, args.join(' ')).toContain('[permission-denied]');
    expect(stderr, args.join(' ')).toContain(READ_ONLY);
    expect(stderr, args.join(' ')).toContain(`df ${place}`);
  }
  expect(project.plan()).toEqual(before);
});

test('a worker whose .git/saga/runs is on a read-only disk says so', async () => {
  await using it = await createWorkshop();
  it.story('cart', {}, { one: {} });
  const place = it.paths.runs;
  mkdirSync(place, { recursive: true });
  const options = { cwd: it.root, env: it.environment };
  const { code, stderr } = await runOnReadOnlyDisk(place, ['worker', 'cart'], options);
  expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining(READ_ONLY) });
  expect(stderr).toContain('[permission-denied]');
  expect(stderr).toContain(`df ${place}`);
  expect(it.git('branch', '--list', 'story/*')).toBe('');
});

test('saga init on a read-only disk says so', async () => {
  await using project = await createTempProject();
  rmSync(project.paths.saga, { recursive: true });
  const { code, stderr } = await runOnReadOnlyDisk(project.root, ['init'], { cwd: project.root });
  expect(code).toBe(1);
  expect(stderr).toContain('[permission-denied]');
  expect(stderr).toContain('its file system is read-only');
});
