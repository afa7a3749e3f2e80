import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Policy, walkTasks } from '@saga-ai/model';
import type { EventType, RunEvent } from '@saga-ai/types/run/event';
import { expect, test } from 'vitest';
import { until } from '../../rig/programs/until.ts';
import { findSandboxRefusal } from '../../rig/worker/find-sandbox-refusal.ts';
import { createWorkshop, type Workshop } from '../../rig/worker/workshop.ts';

const pick = <T extends EventType>(it: Workshop, type: T) =>
  it.events().filter((event): event is RunEvent<T> => event.type === type);

const MEND = 'echo done > fixed.txt && git add -A && git commit -q -m "Mend it"';

/** A model that mends what the checks found, once it is told. */
function mendWhenTold(): Policy {
  const walk = walkTasks();
  return (seen) => {
    if (!seen.prompt.includes('fixed is missing')) return walk(seen);
    const isMended = seen.calls.some(({ input }) => input.command === MEND);
    return isMended ? { text: 'Mended.' } : { calls: [{ tool: 'Bash', input: { command: MEND } }] };
  };
}

async function createFailing(worker: object, policy = mendWhenTold()): Promise<Workshop> {
  const it = await createWorkshop({
    model: { policy, usage: { inputTokens: 1000, outputTokens: 100 } },
  });
  const verify = 'test -f fixed.txt || { echo "fixed" "is" "missing"; exit 5; }';
  it.story('cart', { verify }, { one: {} });
  it.write('.saga/config.json', { worker });
  for (const [path, text] of Object.entries(INSTRUCTIONS)) it.write(path, text);
  it.git('add', '-A');
  it.git('commit', '-q', '-m', 'Plan it');
  it.git('push', '-q');
  return it;
}

/** What agents of all makers are told in the project, and a file that it imports. */
const INSTRUCTIONS = { 'AGENTS.md': 'WALRUS-1\n\n@docs/rules.md\n', 'docs/rules.md': 'WALRUS-2\n' };

/** How often each turn of the work was told the instructions. */
const countTold = ({ model }: Workshop) => {
  const turns = model.requests.filter(({ kind }) => kind === 'turn');
  const counts = turns.map(({ body }) => JSON.stringify(body).match(/WALRUS-[12]/g)?.length);
  return [...new Set(counts)];
};

/** What the model was asked first in the run of this number, as text. */
function firstAsked(it: Workshop, text: string): string {
  const bodies = it.model.requests.map(({ body }) => JSON.stringify(body));
  return bodies.find((body) => body.includes(text)) ?? '';
}

test('the gate’s failures go into the conversation that did the work, and cost is counted once', async () => {
  await using it = await createFailing({});
  expect(await it.saga(['worker', 'cart'])).toMatchObject({ code: 0 });
  expect(pick(it, 'run:start').map((run) => run.isContinued)).toEqual([undefined, true]);
  const told = firstAsked(it, 'You go on with the story');
  // The history is there, the news is told, and what the conversation knows is not told again.
  expect(told).toContain('TaskUpdate');
  expect(told).toContain('fixed is missing');
  expect(told.match(/alone and unattended/g)).toHaveLength(1);
  const [first, second] = pick(it, 'run:end');
  const turns = it.model.requests.filter(({ kind }) => kind === 'turn').length;
  const [end] = pick(it, 'worker:end');
  expect(end?.tokens).toBe(turns * 1100);
  expect(end?.costUsd).toBeCloseTo((first?.costUsd ?? 0) + (second?.costUsd ?? 0), 6);
  // Two turns: the command and the last word.
  expect(second?.costUsd).toBeCloseTo(((first?.costUsd ?? 0) / (turns - 2)) * 2, 6);
  expect(countTold(it)).toEqual([2]);
});

test('with continueUpTo 0 every run begins anew and is told everything', async () => {
  await using it = await createFailing({ continueUpTo: 0 });
  expect(await it.saga(['worker', 'cart'])).toMatchObject({ code: 0 });
  expect(pick(it, 'run:start').map((run) => run.isContinued)).toEqual([undefined, undefined]);
  expect(firstAsked(it, '## What the checks found')).not.toContain('TaskUpdate","input');
});

const refusal = await findSandboxRefusal();

test.skipIf(refusal !== undefined)(
  'the same inside the sandbox, and what a person commits meanwhile in the worktree stays and is told',
  async () => {
    const mend = mendWhenTold();
    let commitByPerson: (() => void) | undefined;
    /** A run that tidies up, and with it removes what a person has just committed. */
    const policy: Policy = (seen) => {
      if (!commitByPerson || seen.calls.length === 0) return mend(seen);
      commitByPerson();
      commitByPerson = undefined;
      const command = 'git checkout -q -- . && git clean -qfd && test ! -e mine.txt';
      return { calls: [{ tool: 'Bash', input: { command } }] };
    };
    await using it = await createFailing({ sandbox: 'required' }, policy);
    const worktree = join(it.worktrees, 'cart');
    commitByPerson = () => {
      writeFileSync(join(worktree, 'mine.txt'), 'hours of work\n');
      it.git('-C', worktree, 'add', 'mine.txt');
      it.git('-C', worktree, 'commit', '-qm', 'Hours of work', '--', 'mine.txt');
    };
    expect(await it.saga(['worker', 'cart'])).toMatchObject({ code: 0 });
    expect(pick(it, 'run:start').map((run) => run.isContinued)).toEqual([undefined, true]);
    const told = firstAsked(it, 'You go on with the story');
    expect(told).toContain('TaskUpdate');
    expect(countTold(it)).toEqual([2]);
    expect(told).toMatch(/SAGA noted: a person committed on story\/cart.*Hours of work/);
    expect(it.git('-C', it.origin, 'show', 'story/cart:mine.txt')).toBe('hours of work\n');
    expect(readFileSync(join(worktree, 'mine.txt'), 'utf8')).toBe('hours of work\n');
    const { stdout } = await it.saga(['logs', 'cart']);
    expect(stdout).toMatch(
      /a person committed on story\/cart while a run worked: \w+ Hours of work/,
    );
  },
);

const QUESTION = 'Which currency?';

test('a worker that waits for an answer goes on in the same conversation', async () => {
  const walk = walkTasks();
  const ask = `printf '## Blocker: ${QUESTION}\\n\\nEuro or dollar.\\n' >> .saga/stories/cart/journal.md`;
  const policy: Policy = (seen) => {
    if (seen.prompt.includes('Euro, please.')) return walk(seen);
    const hasAsked = seen.calls.some(({ input }) => input.command === ask);
    return hasAsked ? { text: 'I wait.' } : { calls: [{ tool: 'Bash', input: { command: ask } }] };
  };
  await using it = await createWorkshop({ model: { policy } });
  it.story('cart', {}, { one: {} });
  it.write('.saga/config.json', { worker: { waitForAnswer: 30 } });
  it.git('add', '-A');
  it.git('commit', '-q', '-m', 'Plan it');
  const worker = it.saga(['worker', 'cart']);
  await until(() => pick(it, 'answer:waiting').length > 0);
  const status = async () => (await it.saga(['status'])).stdout;
  await expect.poll(status).toContain('waits for your answer');
  await it.saga(['resolve', 'cart', '--with', 'Euro, please.']);
  expect(await worker).toMatchObject({ code: 0 });
  expect(pick(it, 'run:start').map((run) => run.isContinued)).toEqual([undefined, true]);
  expect(firstAsked(it, 'Euro, please.')).toContain(QUESTION);
});
