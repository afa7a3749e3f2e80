import { mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createTempFolder } from '../../../../../../test/rig/project/temp-folder.ts';
import { createNativeTask } from './native-edit.ts';

const NEW = { subject: 'Next', description: '', blockedBy: [], metadata: {} };

test('what killed commands left is swept at the next create, and what somebody may still hold is not', async () => {
  using folder = createTempFolder();
  const leave = (name: string, secondsAgo: number) => {
    const path = join(folder.path, name);
    if (name.endsWith('.tmp')) writeFileSync(path, '{');
    else mkdirSync(path);
    const time = Date.now() / 1000 - secondsAgo;
    utimesSync(path, time, time);
  };
  // `saga task delete 8`, killed after it removed the task and before it freed its lock.
  leave('8.json.lock', 11);
  // Killed while it took over a stale lock.
  leave('7.json.lock.4711', 11);
  leave('.7.json.4711.tmp', 11);
  const held = ['9.json.lock', '6.json.lock.4712', '.9.json.4712.tmp'];
  for (const name of held) leave(name, 1);
  await createNativeTask(folder.path, NEW);
  expect(readdirSync(folder.path).sort()).toEqual(['.lock', '1.json', ...held].sort());
});

test('a stale lock whose task is there is left for whoever needs the task', async () => {
  using folder = createTempFolder();
  await createNativeTask(folder.path, NEW);
  const lock = join(folder.path, '1.json.lock');
  mkdirSync(lock);
  utimesSync(lock, 0, 0);
  await createNativeTask(folder.path, NEW);
  expect(readdirSync(folder.path)).toContain('1.json.lock');
});
