import { existsSync } from 'node:fs';
import { openProcessTable } from '@saga-ai/core/processes/table';
import { after } from '../../../rig/faults/point.ts';
import { strikeWorker } from '../../../rig/faults/struck-worker.ts';
import type { Ended } from '../../../rig/programs/run-program.ts';
import { signalAll } from '../../../rig/programs/signal-all.ts';
import { until } from '../../../rig/programs/until.ts';
import type { Workshop } from '../../../rig/worker/workshop.ts';
import { describeEnd, type Fault, type Site } from '../fault.ts';
import { markOf, waiting } from './waiting.ts';

const GROUP = 'Sessions and the machine';
const HOUR = 3_600_000;
const YEAR = 365 * 24 * HOUR;

/** `saga run` for the stories, until each is in its first task. */
async function runInTmux(it: Workshop, stories: Record<string, string>): Promise<void> {
  for (const story of Object.keys(stories)) {
    const { code, stderr } = await it.saga(['run', story]);
    if (code !== 0) throw new Error(stderr);
  }
  const tasks = Object.values(stories);
  await until(() => tasks.every((task) => existsSync(markOf(it.home, task))));
}

const processesOf = ({ home }: Workshop) =>
  openProcessTable()
    .listCarriers('HOME')
    .filter(({ value }) => value === home)
    .map(({ pid }) => pid);

/** What a worker in tmux said at its end; killed, if it said nothing. */
async function endOf(it: Workshop): Promise<Ended> {
  await until(() => processesOf(it).length === 0);
  const last = it.events().at(-1);
  const code = last?.type === 'worker:end' ? last.exitCode : null;
  return { code, stdout: '', stderr: '' };
}

/** Commits on main by somebody else, so that every worker has something to fetch. */
function moveMain(it: Workshop): void {
  const clone = `${it.origin}.clone`;
  it.git('clone', '-q', it.origin, clone);
  it.git('-C', clone, 'commit', '-q', '--allow-empty', '-m', 'Theirs');
  it.git('-C', clone, 'push', '-q');
}

const jump = (id: string, fault: string, ms: number, event: string): Fault => ({
  id,
  fault,
  group: GROUP,
  ends: 'done',
  strike: ({ it }) => strikeWorker(it, after('event', event), () => ms),
});

export const machineFaults: readonly Fault[] = [
  {
    id: 'tmux killed',
    group: GROUP,
    fault: 'the tmux server is killed in the middle of a run',
    ends: 'limit',
    next: 'done',
    workshop: () => waiting('one'),
    async strike({ it, tmux }) {
      await runInTmux(it, { cart: 'one' });
      tmux.runInSaga('kill-server');
      return await endOf(it);
    },
    keeps: [/is-at-work/],
  },
  {
    id: 'machine restart',
    group: GROUP,
    fault: 'the machine restarts: everything of three stories is killed at once',
    ends: 'killed',
    next: 'done',
    others: ['pay', 'ship'],
    workshop: () => waiting('one', 'pay', 'ship'),
    async strike({ it }) {
      await runInTmux(it, { cart: 'one', pay: 'pay', ship: 'ship' });
      signalAll(processesOf(it), 'SIGKILL');
      return await endOf(it);
    },
    keeps: [/is-at-work/],
  },
  {
    id: 'two workers',
    group: GROUP,
    fault: 'a second worker for the same story',
    ends: 'done',
    also: 'The second is refused (`in-flight`) and changes nothing.',
    strike: ({ it, work }) =>
      strikeWorker(it, after('event', 'run:start'), async () => {
        const end = describeEnd(await work());
        if (end !== 'error in-flight') throw new Error(`The second worker ended with ${end}.`);
      }),
  },
  {
    id: 'four workers at once',
    group: GROUP,
    fault: 'four workers for the same story at once',
    ends: 'done',
    also: 'One works, the others are refused (`in-flight`).',
    async strike({ work }) {
      const ends = await Promise.all([work(), work(), work(), work()]);
      const [done, ...refused] = ends.toSorted((a, b) => Number(a.code) - Number(b.code));
      const others = refused.map(describeEnd).filter((end) => end !== 'error in-flight');
      if (!done || others.length > 0) throw new Error(`Others ended with ${others.join(', ')}.`);
      return done;
    },
  },
  {
    id: 'three stories',
    group: GROUP,
    fault: 'three workers for three stories at once, after main moved',
    ends: 'done',
    others: ['pay', 'ship'],
    prepare: ({ it }) => moveMain(it),
    strike: workOnAll,
    keeps: [/^origin\.git\.clone/],
  },
  jump('clock ahead', 'the clock jumps ahead by half an hour in a run', HOUR / 2, 'run:init'),
  jump('clock back', 'the clock jumps back by an hour in a run', -HOUR, 'run:init'),
  jump('clock far back', 'the clock jumps back by ten years in a run', -10 * YEAR, 'run:init'),
  jump('clock at the gate', 'the clock jumps back by an hour in the gate', -HOUR, 'gate:start'),
];

/** The workers of all three stories; the one that ended worst. */
async function workOnAll({ it }: Site): Promise<Ended> {
  const ends = await Promise.all(['cart', 'pay', 'ship'].map((id) => it.saga(['worker', id])));
  return ends.toSorted((a, b) => Number(b.code) - Number(a.code))[0] as Ended;
}
