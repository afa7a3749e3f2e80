import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { bash, misbehave } from '../rig/worker/misbehave.ts';
import { createWorkshop } from '../rig/worker/workshop.ts';

/** It tells its own number: old clients spoil `$!`. */
const start = (name: string, lead: string, more = '') =>
  bash(`${lead} sh -c '${more} echo $$ > ../${name}.pid; tail -f /dev/null; :' > /dev/null 2>&1 &`);

function isAlive(pid: number): boolean {
  try {
    // Killed and not yet fetched by its parent, it is no more.
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}

test('what a run starts in the background does not outlive it', async () => {
  const trials = [
    start('nohup', 'nohup'),
    start('session', 'setsid'),
    start('deaf', 'setsid', 'trap "" TERM HUP INT;'),
    // A busy machine starts them late, and what has not begun cannot be left.
    bash(
      'until [ -s ../nohup.pid ] && [ -s ../session.pid ] && [ -s ../deaf.pid ]; do sleep 0.1; done',
    ),
    // The client would wait for this one when all is done; so it offers no such thing.
    { tool: 'Bash', input: { command: 'tail -f /dev/null', run_in_background: true } },
  ];
  await using it = await createWorkshop({ model: { policy: misbehave(trials) } });
  it.story('cart', {}, { one: {} });
  // Behind walls nothing can be left: what is tried here is the mark by which processes are found.
  const ended = await it.saga(['worker', 'cart'], { env: { SAGA_WORKER_SANDBOX: 'off' } });
  expect(ended.code).toBe(0);
  const pids = ['nohup', 'session', 'deaf'].map((name) =>
    Number(readFileSync(join(it.worktrees, `${name}.pid`), 'utf8')),
  );
  expect(pids.every((pid) => pid > 1)).toBe(true);
  expect(pids.filter(isAlive)).toEqual([]);
});
