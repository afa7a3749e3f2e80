import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, test } from 'vitest';
import { listDescendants, openProcessTable, type TableForm } from './table.ts';

/** Where there is no /proc, `ps` is all there is. On Linux both must say the same. */
const FORMS: TableForm[] = process.platform === 'linux' ? ['proc', 'ps'] : ['ps'];

/** A shell that leads a session of its own and starts another process below it. */
async function startFamily(mark: string) {
  const script = 'sleep 1000 & echo $!; wait';
  const env = { PATH: process.env.PATH ?? '', SAGA_TEST_MARK: mark };
  const child = spawn('sh', ['-c', script], { detached: true, env });
  const [line] = await once(child.stdout, 'data');
  const pid = child.pid ?? 0;
  return {
    pid,
    below: Number(String(line)),
    [Symbol.dispose]: () => void process.kill(-pid, 'SIGKILL'),
  };
}

test.each(FORMS)('%s: marked processes, descendants, start times', async (form) => {
  const table = openProcessTable(form);
  using family = await startFamily(`${form}-${process.pid}`);
  const { pid, below } = family;
  expect(table.find(pid)).toMatchObject({ pid, parent: process.pid, group: pid, ended: false });
  // Right after its start it still is the shell.
  await expect.poll(() => table.find(below)?.name).toBe('sleep');
  expect(table.find(below)).toMatchObject({ parent: pid, group: pid });
  expect(table.list().map((it) => it.pid)).toEqual(
    expect.arrayContaining([process.pid, pid, below]),
  );
  const carriers = table
    .listCarriers('SAGA_TEST_MARK')
    .filter(({ value }) => value === `${form}-${process.pid}`);
  expect(carriers.map((it) => it.pid).toSorted()).toEqual([pid, below].toSorted());
  expect(listDescendants(table, [pid]).toSorted()).toEqual([pid, below].toSorted());
  expect(listDescendants(table, [process.pid])).toEqual(expect.arrayContaining([pid, below]));
  const [first, again] = [table.find(pid)?.started ?? 0, table.find(pid)?.started ?? 0];
  expect(first).toBeGreaterThan(0);
  expect(table.isSameStart(first, again)).toBe(true);
  expect(table.isSameStart(first, table.find(1)?.started ?? 0)).toBe(false);
});

test.each(FORMS)('%s: a process that is gone, and one that nobody asked after', async (form) => {
  const table = openProcessTable(form);
  const gone = spawn('true', { stdio: 'ignore' });
  await once(gone, 'exit');
  expect(table.find(gone.pid ?? 0)).toBeUndefined();
  // A child that ends once its parent has become a program that never asks for it: it stays as a zombie.
  const child = `sh -c 'until [ "$(ps -o comm= -p $PPID)" = sleep ]; do sleep 0.05; done'`;
  const parent = spawn('sh', ['-c', `${child} & echo $!; exec sleep 1000`]);
  const [line] = await once(parent.stdout, 'data');
  const zombie = Number(String(line));
  try {
    await expect.poll(() => table.find(zombie)?.ended).toBe(true);
  } finally {
    parent.kill('SIGKILL');
  }
});

test.each(FORMS)('%s: the working folder of a process', (form) => {
  const table = openProcessTable(form);
  expect(table.findFolder(process.pid)).toBe(process.cwd());
  expect(table.findFolder(2 ** 30)).toBeUndefined();
});

test.each(FORMS)('%s: what a process used, with its ended children', async (form) => {
  const table = openProcessTable(form);
  // A child works and ends; its parent stays.
  const script =
    "sh -c 'head -c 300000 /dev/zero | tr x y > /dev/null; i=0; while [ $i -lt 300000 ]; do i=$((i+1)); done'; echo done; exec sleep 1000";
  const child = spawn('sh', ['-c', script, 'a word'], { detached: true });
  const pid = child.pid ?? 0;
  try {
    await once(child.stdout, 'data');
    const used = table.measure(pid);
    expect(used?.cpuMs).toBeGreaterThanOrEqual(form === 'ps' ? 0 : 20);
    if (form === 'proc') expect(used?.bytes).toBeGreaterThan(300_000);
    await expect.poll(() => table.findCommandLine(pid)).toBe('sleep 1000');
    expect(table.measure(2 ** 30)).toBeUndefined();
    expect(table.findCommandLine(2 ** 30)).toBe('');
  } finally {
    process.kill(-pid, 'SIGKILL');
  }
});
