import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describeProcess } from '@saga-ai/core/processes/identity';
import { createPlan, type Plan } from './plan.ts';

export const LONG_SESSION = 'saga-story-cart-1794745843991';
const EVENTS = 50_000;

/** A session that runs, with a log of many events: a task each thousand. */
export function createLongLog(): Plan & { grow: (text: string) => void } {
  const plan = createPlan();
  plan.story('cart', {}, { first: { subject: 'The first task', status: 'completed' } });
  const outputFile = join(plan.root, 'long.jsonl');
  const lines = Array.from({ length: EVENTS / 2 }, (_, n) => {
    const time = new Date(1794745843991 + n * 100).toISOString();
    if (n === 5) return line({ time, type: 'task:status', task: 'first', to: 'in_progress' });
    const id = `call-${n}`;
    const input = { command: n === 60 ? 'echo needle' : `echo ${n} ${'x'.repeat(100)}` };
    const text = `${n} ${'y'.repeat(300)}`;
    const call = { name: 'Bash', kind: 'command', summary: input.command, ...input, input: {} };
    return (
      line({ time, type: 'run:tool', id, ...call }) + line({ time, type: 'run:result', id, text })
    );
  });
  writeFileSync(outputFile, lines.join(''));
  plan.write(`.git/saga/runs/sessions/${LONG_SESSION}.json`, {
    version: 1,
    session: LONG_SESSION,
    story: 'cart',
    ...describeProcess(process.pid),
    outputFile,
    tmux: false,
    startedAt: new Date().toISOString(),
    model: 'opus',
    cycle: 1,
    tokens: 1,
    costUsd: 1,
  });
  const grow = (text: string) => {
    appendFileSync(outputFile, line({ time: new Date().toISOString(), type: 'run:text', text }));
  };
  return { ...plan, grow, [Symbol.dispose]: () => plan[Symbol.dispose]() };
}

const line = (event: object) => `${JSON.stringify(event)}\n`;
