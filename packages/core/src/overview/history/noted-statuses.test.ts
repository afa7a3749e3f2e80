import { appendFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createTempFolder } from '../../../../../test/rig/project/temp-folder.ts';
import { NotedStatuses } from './noted-statuses.ts';

const TIME = '2026-11-15T12:00:00.000Z';
const event = (fields: object) => `${JSON.stringify({ time: TIME, ...fields })}\n`;
const status = (task: string, to: string) => event({ type: 'task:status', task, to });

test('a file is read once, then only what was added, in whole lines', async () => {
  using folder = createTempFolder();
  const file = join(folder.path, 'out.jsonl');
  const noted = new NotedStatuses();
  const read = async () => {
    const size = statSync(file, { throwIfNoEntry: false })?.size ?? null;
    return (await noted.read(file, 'cart', size)).map((it) => [it.task, it.isCompleted, it.time]);
  };
  expect(await read()).toEqual([]);
  const time = Date.parse(TIME);
  const foreign = event({ type: 'run:tool', claude: { type: 'task:status', task: 'x' } });
  const long = event({ type: 'run:result', text: 'x'.repeat(2_500_000) });
  writeFileSync(file, `${status('a', 'in_progress')}${foreign}${long}${status('a', 'completed')}`);
  const first = [
    ['a', false, time],
    ['a', true, time],
  ];
  expect(await read()).toEqual(first);
  const next = status('b', 'completed');
  appendFileSync(file, next.slice(0, 40));
  expect(await read()).toEqual(first);
  appendFileSync(file, `${next.slice(40)}{"type":"task:status", no event\n`);
  expect(await read()).toEqual([...first, ['b', true, time]]);
  rmSync(file);
  expect(await read()).toHaveLength(3);
  writeFileSync(file, status('c', 'completed'));
  expect(await read()).toEqual([['c', true, time]]);
});
