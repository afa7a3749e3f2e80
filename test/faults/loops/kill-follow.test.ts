import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { walkTasks } from '@saga-ai/model';
import { expect, test } from 'vitest';
import { merge } from '../../rig/github/reviewed.ts';
import { SAGA } from '../../rig/programs/run-program.ts';
import { createWorkshop, type Workshop } from '../../rig/worker/workshop.ts';

/** What the remarks say, and the file with which the model answers each. */
const REMARKS = {
  'expected 1, got 2': 'mended.txt',
  'Please rename the total.': 'renamed.txt',
  'Please round the total.': 'rounded.txt',
};

/** A story in review whose check is red, with two threads of a reviewer. Merged when all is done. */
async function createReviewed(): Promise<Workshop> {
  const walk = walkTasks();
  const policy: typeof walk = (conversation) => {
    const told = Object.entries(REMARKS).filter(([text]) => conversation.prompt.includes(text));
    if (told.length === 0) return walk(conversation);
    if (conversation.calls.length > 0) return { text: 'Done.' };
    const command = [
      ...told.map(([, file]) => `echo fixed > ${file}`),
      'git add -A',
      'git commit -q -m "Follow up"',
    ].join(' && ');
    return { calls: [{ tool: 'Bash', input: { command } }] };
  };
  const it = await createWorkshop({ model: { policy } });
  it.story('cart', { verify: 'true' }, { one: {} });
  it.write('.saga/config.json', {
    pullRequest: { followSeconds: 0.2, followHours: 1, resolveThreads: true },
  });
  it.git('add', '-A');
  it.git('commit', '-q', '-m', 'Plan');
  it.git('push', '-q', 'origin', 'main');
  it.git('-C', it.origin, 'config', 'core.logAllRefUpdates', 'always');
  expect(await it.saga(['worker', 'cart'])).toMatchObject({ code: 0 });
  const [pull] = it.github.pulls;
  if (!pull) throw new Error('There is no pull request.');
  const thread = (id: string, line: number, body: string) => ({
    ...{ id, path: 'one.txt', line, isResolved: false },
    comments: [{ id: `${id}C`, author: 'ada', body }],
  });
  pull.threads = [
    thread('T1', 1, 'Please rename the total.'),
    thread('T2', 2, 'Please round the total.'),
  ];
  it.github.checksOf = (commit) => {
    if (commit === '' || commit === it.git('-C', it.origin, 'rev-parse', 'main').trim()) return [];
    const files = it.git('-C', it.origin, 'ls-tree', '--name-only', commit).split('\n');
    const isMended = files.includes('mended.txt');
    const isDone = isMended && pull.threads?.every((one) => one.comments.length > 1);
    if (isDone && pull.state === 'OPEN') merge(pull, it.origin);
    const log = 'expected 1, got 2\n##[error]exit 1\n';
    return [{ name: 'test', state: isMended ? 'passed' : 'failed', jobId: 5, log }];
  };
  return it;
}

/** An event of the worker that follows, or a question to GitHub: it gets lost, or only its answer does. */
type Moment =
  | { event: string; nth?: number }
  | { asks: string; when: 'before' | 'after'; nth?: number };

/** Follows the pull request, and kills the worker with SIGKILL at a moment. GitHub answers only after the kill. */
async function killAt(it: Workshop, moment: Moment): Promise<void> {
  const known = it.outputFiles().length;
  let left = moment.nth ?? 1;
  const reached = Promise.withResolvers<void>();
  const child = spawn(process.execPath, [SAGA, 'worker', 'cart', '--follow'], {
    cwd: it.root,
    env: it.environment,
    stdio: 'ignore',
  });
  const ended = new Promise<void>((resolve) => child.on('close', () => resolve()));
  let isDead = false;
  void ended.then(() => {
    isDead = true;
    reached.reject(new Error('The worker never came to that moment.'));
  });
  if ('asks' in moment) {
    it.github.heed = async (operation, when) => {
      if (operation !== moment.asks || when !== moment.when || --left !== 0) return undefined;
      reached.resolve();
      await ended;
      return 'lost';
    };
  } else {
    void waitForEvents(it, known, moment.event, left, () => isDead).then(reached.resolve);
  }
  try {
    await reached.promise;
  } finally {
    child.kill('SIGKILL');
    await ended;
    it.github.heed = () => undefined;
  }
}

async function waitForEvents(
  it: Workshop,
  known: number,
  type: string,
  count: number,
  isDead: () => boolean,
): Promise<void> {
  const seen = () => listEvents(it, known).filter((one) => one.type === type).length;
  while (!isDead() && seen() < count) await sleep(1);
  // Nobody resolves what is dead: the caller has rejected it already.
}

interface SeenEvent {
  type: string;
  titles?: string[];
}

/** The events of all output files but the first so many. */
function listEvents(it: Workshop, skipped: number): SeenEvent[] {
  return it
    .outputFiles()
    .slice(skipped)
    .flatMap((file) => readFileSync(file, 'utf8').split('\n').slice(0, -1))
    .map((line) => JSON.parse(line) as SeenEvent);
}

/** The pushes that changed more than the plan, by the log of the origin. */
function countPushesOfCode(it: Workshop): number {
  const inOrigin = (...args: string[]) => it.git('-C', it.origin, ...args).trim();
  const tips = inOrigin('log', '-g', '--format=%H', 'story/cart').split('\n').reverse();
  return tips.filter((tip, at) => {
    const before = tips[at - 1];
    if (before === undefined) return false;
    return inOrigin('diff', '--name-only', before, tip, '--', ':!.saga') !== '';
  }).length;
}

test.concurrent.each<[string, Moment, { tellings?: number }]>([
  ['as it begins to watch', { event: 'follow:start' }, {}],
  ['with the question not answered', { asks: 'SagaFollow', when: 'before' }, {}],
  ['with the first remark found', { event: 'follow:found' }, {}],
  ['with the remarks in the journal', { event: 'follow:round' }, {}],
  ['as the run starts', { event: 'run:start' }, { tellings: 2 }],
  ['as the run ends', { event: 'run:end' }, {}],
  ['while the run is settled', { event: 'reconcile:done' }, {}],
  ['after the first push', { event: 'push:done' }, {}],
  ['in the gate', { event: 'gate:start' }, {}],
  ['with the gate passed', { event: 'gate:passed' }, {}],
  ['before it resolves a thread', { asks: 'SagaResolve', when: 'before' }, {}],
  ['with a thread resolved', { asks: 'SagaResolve', when: 'after' }, {}],
  ['before its first answer', { asks: 'SagaAnswer', when: 'before' }, {}],
  ['with a thread answered', { asks: 'SagaAnswer', when: 'after' }, {}],
  ['between two threads', { event: 'follow:answered' }, {}],
])('killed %s, the next worker repeats nothing', async (_, moment, more) => {
  const { tellings = 1 } = more;
  await using it = await createReviewed();
  const known = it.outputFiles().length;
  const before = countPushesOfCode(it);
  await killAt(it, moment);
  const { code, stdout, stderr } = await it.saga(['worker', 'cart', '--follow']);
  expect({ code, stderr, stdout }).toMatchObject({ code: 0, stderr: '' });
  expect(stdout).toContain('#1 was merged');
  const journal = it.readStory('cart', 'journal.md');
  const keys = [...journal.matchAll(/^GitHub: (\S+?)(?:@.*)?$/gm)].map(([, key]) => key);
  expect(keys.sort()).toEqual(['check:test', 'thread:T1', 'thread:T2']);
  const told = listEvents(it, known).flatMap((one) =>
    one.type === 'feedback:told' ? (one.titles ?? []) : [],
  );
  for (const title of new Set(told)) {
    expect(told.filter((one) => one === title).length, title).toBeLessThanOrEqual(tellings);
  }
  expect(new Set(told).size).toBe(3);
  for (const { comments, isResolved } of it.github.pulls[0]?.threads ?? []) {
    expect(comments.filter((one) => one.author === 'saga-bot')).toHaveLength(1);
    expect(isResolved).toBe(true);
  }
  expect(countPushesOfCode(it) - before).toBe(1);
});
