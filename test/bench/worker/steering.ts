import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Policy, walkTasks } from '@saga-ai/model';
import { until } from '../../rig/programs/until.ts';
import { createWorkshop, type Workshop } from '../../rig/worker/workshop.ts';

export interface SteeringCost {
  /** Milliseconds from the end of a command to the next question to the model, with a message and without. */
  told: number[];
  untold: number[];
  /** Tokens of the run that mends what the gate found: in the same conversation, and in a new one. */
  same: number;
  fresh: number;
}

export async function measureSteering(rounds: number): Promise<SteeringCost> {
  const cost: SteeringCost = { told: [], untold: [], same: 0, fresh: 0 };
  for (let round = 0; round < rounds; round++) {
    cost.told.push(await measureMessage('Use tabs.'));
    cost.untold.push(await measureMessage(undefined));
  }
  cost.same = await measureMending({});
  cost.fresh = await measureMending({ continueUpTo: 0 });
  return cost;
}

const HOLD =
  'for i in $(seq 3000); do [ -e ../go ] && break; sleep 0.02; done; date +%s%3N > ../ended';

async function measureMessage(message: string | undefined): Promise<number> {
  const walk = walkTasks();
  let asked = 0;
  const policy: Policy = (seen) => {
    const isHeld = seen.calls.some(({ input }) => input.command === HOLD);
    if (!isHeld) return { calls: [{ tool: 'Bash', input: { command: HOLD } }] };
    asked ||= Date.now();
    return walk(seen);
  };
  await using it = await createWorkshop({ model: { policy } });
  plan(it, {});
  const worker = it.saga(['worker', 'cart', '--no-pr']);
  await until(() => it.events().some(({ type }) => type === 'run:tool'));
  if (message !== undefined) {
    await it.saga(['tell', 'cart', message]);
    await until(() => it.events().some(({ type }) => type === 'message:sent'));
  }
  writeFileSync(join(it.worktrees, 'go'), '');
  await worker;
  return asked - Number(readFileSync(join(it.worktrees, 'ended'), 'utf8'));
}

const FILES = 12;
const MEND = 'echo done > fixed.txt && git add -A && git commit -q -m "Mend it"';

/**
 * A model that reads the sources before it works, and once more if the conversation does not know them. Counts
 * four characters of a request as a token.
 */
async function measureMending(worker: object): Promise<number> {
  const walk = walkTasks();
  const files: string[] = [];
  const policy: Policy = (seen) => {
    const read = new Set(seen.calls.map(({ input }) => input.file_path));
    const next = files.find((path) => !read.has(path));
    if (next) return { calls: [{ tool: 'Read', input: { file_path: next } }] };
    if (!seen.prompt.includes('fixed is missing')) return walk(seen);
    const isMended = seen.calls.some(({ input }) => input.command === MEND);
    return isMended ? { text: 'Mended.' } : { calls: [{ tool: 'Bash', input: { command: MEND } }] };
  };
  await using it = await createWorkshop({ model: { policy } });
  const line = 'export const price = (net: number) => Math.round(net * 1.19 * 100) / 100;\n';
  for (let i = 0; i < FILES; i++) {
    it.write(`src/part-${i}.ts`, line.repeat(60));
    files.push(join(it.worktrees, 'cart', `src/part-${i}.ts`));
  }
  plan(it, { worker, gate: { verify: VERIFY } });
  const ended = await it.saga(['worker', 'cart', '--no-pr']);
  if (ended.code !== 0) throw new Error(ended.stdout);
  const bodies = it.model.requests.map(({ body }) => JSON.stringify(body));
  const from = bodies.findIndex((body) => body.includes('## What the checks found'));
  return bodies.slice(from).reduce((sum, body) => sum + body.length / 4, 0);
}

const VERIFY = 'test -f fixed.txt || { echo "fixed" "is" "missing"; exit 5; }';

function plan(it: Workshop, config: object): void {
  it.story('cart', {}, { one: {} });
  it.write('.saga/config.json', config);
  it.git('add', '-A');
  it.git('commit', '-q', '-m', 'Plan it');
  it.git('push', '-q', 'origin', 'main');
}
