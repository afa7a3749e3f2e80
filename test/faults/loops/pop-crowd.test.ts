import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Turn } from '@saga-ai/model';
import { expect, test } from 'vitest';
import { createStage } from '../../rig/client/stage.ts';
import { runProgram, SAGA } from '../../rig/programs/run-program.ts';

const TASKS = 64;
const POPS = 256;
/** More at once than there are cores, so that they really fight. */
const AT_ONCE = 24;

test('a crowd pops each task exactly once while the real client works on the same list', async () => {
  await using stage = await createStage();
  for (let i = 0; i < TASKS; i++) stage.writeTask(`t${i}`, { metadata: { mine: i } });
  for (const id of ['own-1', 'own-2']) stage.writeTask(id, { owner: 'client' });
  const turns: Turn[] = [];
  for (let i = 1; i <= 12; i++) {
    turns.push({
      calls: [
        {
          tool: 'TaskCreate',
          input: { subject: `New ${i}`, description: '', metadata: { made: i } },
        },
      ],
    });
    turns.push({
      calls: [{ tool: 'TaskUpdate', input: { taskId: 'own-1', metadata: { [`k${i}`]: i } } }],
    });
    turns.push({
      calls: [{ tool: 'TaskUpdate', input: { taskId: `t${i * 5}`, metadata: { seen: i } } }],
    });
  }
  turns.push(
    { calls: [{ tool: 'TaskUpdate', input: { taskId: 'own-2', status: 'completed' } }] },
    { text: 'Done.' },
  );

  const client = stage.run({ turns });
  const env = {
    CLAUDE_CONFIG_DIR: join(stage.home, '.claude'),
    CLAUDE_CODE_TASK_LIST_ID: stage.listId,
  };
  const popped: string[] = [];
  let nothing = 0;
  let next = 0;
  const popAll = async () => {
    while (next++ < POPS) {
      const { code, stdout, stderr } = await runProgram(SAGA, ['task', 'pop', '--json'], { env });
      if (code === 3) nothing++;
      else if (code === 0) popped.push(JSON.parse(stdout).task.id);
      else throw new Error(`pop ended with ${code}: ${stderr}`);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, popAll));
  const run = await client;

  expect(run.result?.is_error).toBe(false);
  const results = run.events.filter((event) => event.type === 'user');
  expect(results.flatMap((event) => event.message.content).filter((it) => it.is_error)).toEqual([]);

  expect(new Set(popped).size).toBe(popped.length);
  expect(popped.filter((id) => id.startsWith('t'))).toHaveLength(TASKS);
  expect(popped.length + nothing).toBe(POPS);

  const read = (id: string) => JSON.parse(readFileSync(join(stage.tasks, `${id}.json`), 'utf8'));
  for (const id of popped) expect([id, read(id).status]).toEqual([id, 'in_progress']);
  for (let i = 0; i < TASKS; i++) expect(read(`t${i}`).metadata.mine).toBe(i);
  for (let i = 1; i <= 12; i++) {
    expect(read(`t${i * 5}`).metadata).toMatchObject({
      seen: i,
      claim: { pid: expect.any(Number) },
    });
    expect(read('own-1').metadata[`k${i}`]).toBe(i);
    expect(read(String(i)).metadata.made).toBe(i);
  }
  expect(read('own-2').status).toBe('completed');
  expect(readdirSync(stage.tasks).filter((name) => /\.lock$|\.tmp$/.test(name))).toEqual(['.lock']);
});
