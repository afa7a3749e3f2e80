import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { createTempFolder } from '../../../../../../test/rig/project/temp-folder.ts';
import { claimTask, isDeadClaim, popTask, releaseTask } from './claim.ts';
import { openNativeList } from './native-source.ts';

const me = { owner: 'me', pid: process.pid, time: '2026-01-01T00:00:00.000Z' };

async function createList(subjects: Record<string, string[]>) {
  const folder = createTempFolder();
  const source = openNativeList({ config: folder.path }, 'demo');
  for (const [subject, blockedBy] of Object.entries(subjects)) {
    await source.create({ subject, description: '', blockedBy, metadata: {} });
  }
  return { source, [Symbol.dispose]: () => folder[Symbol.dispose]() };
}

test('pop takes one after the other, never a blocked, escalated or owned one', async () => {
  using it = await createList({ a: [], b: ['1'], c: [], d: [], e: [] });
  await it.source.change('4', (task) => ({ ...task, metadata: { escalated: true } }));
  await it.source.change('5', (task) => ({ ...task, owner: 'other' }));
  expect((await popTask(it.source, me))?.id).toBe('1');
  expect((await popTask(it.source, me))?.id).toBe('3');
  expect(await popTask(it.source, me)).toBeUndefined();
  await it.source.change('1', (task) => ({ ...task, status: 'completed' }));
  expect(await popTask(it.source, me)).toMatchObject({
    id: '2',
    status: 'in_progress',
    owner: 'me',
    metadata: { claim: { pid: process.pid, time: me.time } },
  });
});

test('twenty at once each get another task', async () => {
  using it = await createList(
    Object.fromEntries(Array.from({ length: 20 }, (_, i) => [`t${i}`, []])),
  );
  const popped = await Promise.all(Array.from({ length: 25 }, () => popTask(it.source, me)));
  const ids = popped.flatMap((task) => task?.id ?? []);
  expect(new Set(ids).size).toBe(20);
  expect(ids).toHaveLength(20);
});

test('a claim is respected until its process is provably gone', async () => {
  using it = await createList({ a: [] });
  await claimTask(it.source, '1', me);
  await expect(claimTask(it.source, '1', me)).rejects.toMatchObject({ code: 'in-flight' });
  await expect(claimTask(it.source, '1', me, { steal: true })).rejects.toThrow(
    /may still be running/,
  );
  await releaseTask(it.source, '1');
  const dead = { ...me, owner: 'dead', pid: spawnSync(process.execPath, ['-e', '']).pid };
  expect(isDeadClaim(await claimTask(it.source, '1', dead))).toBe(true);
  await expect(claimTask(it.source, '1', me)).rejects.toThrow(/dead \(process \d+ on/);
  expect(await claimTask(it.source, '1', me, { steal: true })).toMatchObject({ owner: 'me' });
});

test('what is done or blocked cannot be claimed', async () => {
  using it = await createList({ a: [], b: ['1'] });
  await expect(claimTask(it.source, '2', me)).rejects.toThrow('it is blocked');
  await it.source.change('1', (task) => ({ ...task, status: 'completed' }));
  await expect(claimTask(it.source, '1', me)).rejects.toThrow('it is done');
});
