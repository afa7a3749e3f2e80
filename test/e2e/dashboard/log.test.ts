import { appendFileSync, openSync, truncateSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { LogAnswer } from '@saga-ai/types/screens/dashboard';
import { expect, test } from 'vitest';
import { createShop, endedSession } from '../../rig/project/shop.ts';
import { openDashboard } from '../../rig/screens/dashboard.ts';

const line = (n: number, more = '') =>
  `${JSON.stringify({ time: '2026-01-01T00:00:00Z', type: 'run:text', text: more, n })}\n`;

async function openLog(text: string) {
  const plan = createShop();
  const outputFile = join(plan.root, 'out.jsonl');
  writeFileSync(outputFile, text);
  const name = 'saga-story-pay-1';
  plan.write(`.git/saga/runs/sessions/${name}.json`, { ...endedSession(1), outputFile });
  const it = await openDashboard({ paths: plan.paths });
  return {
    plan,
    it,
    outputFile,
    log: (query: string) => it.json<LogAnswer>(`/api/sessions/${name}/log?${query}`),
    async [Symbol.asyncDispose]() {
      await it.dashboard.close();
      plan[Symbol.dispose]();
    },
  };
}

const numbers = ({ events }: LogAnswer) => events.map((event) => (event as { n?: number }).n);

test('a log is read window by window, forwards and backwards, each line once', async () => {
  const lines = Array.from({ length: 500 }, (_, i) => line(i, 'ü'.repeat(i % 40)));
  await using it = await openLog(lines.join(''));
  const forwards: unknown[] = [];
  for (let from = 0, size = 1; from < size; ) {
    const answer = await it.log(`from=${from}&bytes=1000`);
    expect(answer.from).toBe(from);
    forwards.push(...numbers(answer));
    ({ to: from, size } = answer);
  }
  expect(forwards).toEqual(lines.map((_, i) => i));
  const backwards: unknown[] = [];
  let answer = await it.log('from=-1&bytes=1000');
  expect(answer.to).toBe(answer.size);
  for (;;) {
    backwards.unshift(...numbers(answer));
    if (answer.from === 0) break;
    const from = Math.max(0, answer.from - 1000);
    answer = await it.log(`from=${from}&bytes=${answer.from - from}`);
  }
  expect(backwards).toEqual(forwards);
});

test('a line that is not finished waits; what is no event is passed over', async () => {
  const whole = `${line(1)}not json\n{"type":"x"}\n${line(2)}`;
  await using it = await openLog(`${whole}${line(3).slice(0, 20)}`);
  const first = await it.log('from=0');
  expect(numbers(first)).toEqual([1, 2]);
  expect(first.to).toBe(Buffer.byteLength(whole));
  expect(await it.log(`from=${first.to}`)).toMatchObject({ events: [], to: first.to });
  appendFileSync(it.outputFile, line(3).slice(20));
  expect(numbers(await it.log(`from=${first.to}`))).toEqual([3]);
  expect(await it.log('from=99999999')).toMatchObject({ events: [] });
});

test('a line longer than the window comes whole, from either side', async () => {
  const long = line(2, 'x'.repeat(600_000));
  await using it = await openLog(`${line(1)}${long}${line(3)}`);
  const start = Buffer.byteLength(line(1));
  const forwards = await it.log(`from=${start}&bytes=1000`);
  expect(numbers(forwards)).toEqual([2]);
  expect(forwards).toMatchObject({ from: start, to: start + long.length });
  const inside = await it.log(`from=${start + 300_000}&bytes=1000`);
  expect(numbers(inside)).toEqual([2]);
  expect(numbers(await it.log(`from=${forwards.to - 1000}&bytes=1000`))).toEqual([2]);
});

test('any part of a huge file is there at once', async () => {
  await using it = await openLog(line(1));
  const size = 3 * 1024 ** 3;
  truncateSync(it.outputFile, size);
  const end = line(8) + line(9);
  writeSync(openSync(it.outputFile, 'r+'), `\n${end}`, size - end.length - 1);
  const last = await it.log('from=-1&bytes=65536');
  expect(last.size).toBe(size);
  expect(numbers(last).slice(-2)).toEqual([8, 9]);
  expect(numbers(await it.log('from=0&bytes=300'))).toEqual([1]);
});

test('of a file that is no log, nothing is shown', async () => {
  await using it = await openLog('root:x:0:0:root:/root:/bin/sh\n');
  expect(await it.log('from=0')).toMatchObject({ events: [] });
  const name = 'saga-story-pay-2';
  for (const [path, status] of [
    ['/dev/zero', 404],
    [it.plan.root, 404],
    ['/nowhere', 404],
  ] as const) {
    const record = { ...endedSession(2), outputFile: path };
    it.plan.write(`.git/saga/runs/sessions/${name}.json`, record);
    await expect
      .poll(async () => (await it.it.ask(`/api/sessions/${name}/log`)).status)
      .toBe(status);
  }
});
