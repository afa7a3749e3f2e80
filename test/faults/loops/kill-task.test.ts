import { readdirSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { ClaudeTask } from '@saga-ai/core/agents/claude/tasklist/claude-task';
import { expect, test } from 'vitest';
import { Ledger } from '../../rig/client/task-ledger.ts';
import { createTaskList, type TempTaskList } from '../../rig/client/temp-task-list.ts';
import { whenFolderChanges } from '../../rig/faults/when-folder-changes.ts';
import { KILLS, killProgram } from '../../rig/programs/kill-program.ts';
import { SAGA } from '../../rig/programs/run-program.ts';
import { SEED } from '../../rig/random/seed.ts';
import { createRandom } from '../../rig/random/seeded-random.ts';

const BATCH = 10;
const BATCHES = Math.ceil(KILLS / 3 / BATCH);
/** Commands that are killed at the same time, so that they also get into each other's way. */
const LANES = 2;

test(`${BATCHES * BATCH} saga tasks are killed at random moments (SAGA_SEED=${SEED})`, async () => {
  using it = createTaskList({ one: {}, other: {} });
  const random = createRandom(SEED);
  const ledger = new Ledger(random);
  for (let i = 1; i <= 12; i++) it.write(String(i), {});
  ledger.know(Array.from({ length: 12 }, (_, i) => String(i + 1)));
  // What one command takes here, from its start to its end, and as much again.
  const started = performance.now();
  await it.saga(['list']);
  const giveUpMs = Math.max(400, 2 * (performance.now() - started));
  const faults: string[] = [];
  let killedWhileWriting = 0;
  const hasBoth = () => killedWhileWriting > 0 && ledger.acknowledged > 0;

  // Where a kill lands is up to the machine: it goes on until it has hit a write, and missed some.
  for (let batch = 0; batch < BATCHES || (batch < 10 * BATCHES && !hasBoth()); batch++) {
    const fault = (text: string) => faults.push(`SAGA_SEED=${SEED}, batch ${batch}: ${text}`);
    const killSome = async () => {
      for (let kill = 0; kill < BATCH / LANES; kill++) {
        const command = ledger.next();
        const moment = whenFolderChanges(it.folder, random() ** 3 * 60, giveUpMs);
        const args = ['task', ...command.args, '--json'];
        const printed = await killProgram(SAGA, args, moment, it.config, it.env);
        if (printed.length > 0) ledger.acknowledge(command, JSON.parse(printed.join('\n')));
      }
    };
    await Promise.all(Array.from({ length: LANES }, killSome));

    const left = leftovers(it);
    killedWhileWriting += left.length;
    const before = readAll(it, fault);
    ledger.check(before).forEach(fault);

    for (const name of left) age(it, name);
    for (const args of [
      ['q', 'Next'],
      ['dep', 'add', 'one', 'other'],
      ...touchLocked(left, before),
    ]) {
      const { code, stderr } = await it.saga(args);
      if (code !== 0) fault(`saga task ${args.join(' ')} ended with ${code}: ${stderr}`);
    }
    for (const name of leftovers(it)) fault(`${name} is left`);
    const after = readAll(it, fault);
    ledger.check(after).forEach(fault);
    findOneSided(after).forEach(fault);
  }

  expect(faults).toEqual([]);
  expect(killedWhileWriting, `kills that hit a write, SAGA_SEED=${SEED}`).toBeGreaterThan(0);
  expect(ledger.acknowledged, 'commands that got through').toBeGreaterThan(0);
});

/** What a killed command leaves behind: its locks, and a text that it had not put in place. */
function leftovers({ folder }: TempTaskList): string[] {
  return readdirSync(folder).filter(
    (name) => /\.lock(\.\d+)?$|\.tmp$/.test(name) && name !== '.lock',
  );
}

/** As it is when the ten seconds of the protocol are over. */
function age({ folder }: TempTaskList, name: string): void {
  const time = Date.now() / 1000 - 11;
  utimesSync(join(folder, name), time, time);
}

function touchLocked(left: string[], tasks: ReadonlyMap<string, ClaudeTask>): string[][] {
  const ids = left.filter((name) => name.endsWith('.json.lock')).map((name) => name.slice(0, -10));
  return ids.filter((id) => tasks.has(id)).map((id) => ['update', id, '--meta', 'touched=1']);
}

/** The list as a client would read it. */
function readAll(it: TempTaskList, fault: (text: string) => void): Map<string, ClaudeTask> {
  const tasks = new Map<string, ClaudeTask>();
  for (const name of readdirSync(it.folder).filter((file) => /^[^.].*\.json$/.test(file))) {
    const id = name.slice(0, -'.json'.length);
    try {
      const task = ClaudeTask.parse(it.read(id));
      if (task.id !== id) fault(`${name} says it is ${task.id}`);
      tasks.set(id, task);
    } catch (error) {
      fault(`${name} cannot be read: ${error}`);
    }
  }
  return tasks;
}

function findOneSided(tasks: ReadonlyMap<string, ClaudeTask>): string[] {
  const faults: string[] = [];
  for (const { id, blocks, blockedBy } of tasks.values()) {
    for (const other of blockedBy) {
      if (!tasks.get(other)?.blocks.includes(id)) faults.push(`${other} does not block ${id}`);
    }
    for (const other of blocks) {
      if (!tasks.get(other)?.blockedBy.includes(id)) faults.push(`${other} waits not for ${id}`);
    }
  }
  return faults;
}
