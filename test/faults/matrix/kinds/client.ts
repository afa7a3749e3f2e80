import { openProcessTable } from '@saga-ai/core/processes/table';
import { type Policy, type Turn, walkTasks } from '@saga-ai/model';
import { CHECK_IN, openLooks } from '../../../rig/faults/looks.ts';
import { after } from '../../../rig/faults/point.ts';
import { type StruckOptions, strikeWhen, strikeWorker } from '../../../rig/faults/struck-worker.ts';
import type { Ended } from '../../../rig/programs/run-program.ts';
import { signalAll } from '../../../rig/programs/signal-all.ts';
import type { Workshop, WorkshopOptions } from '../../../rig/worker/workshop.ts';
import type { Fault, Site } from '../fault.ts';

const GROUP = 'The client and the model';
const WRITES = after('event', 'run:tool', { has: '"name":"Write"' });
/** The worker looks at its run when the fault says so. */
const LOOKED_AT = { checkIn: CHECK_IN, worker: { resplit: false } };
/** Otherwise the client itself tries again for three minutes. */
const NO_RETRIES = { CLAUDE_CODE_MAX_RETRIES: '0' };

/** Answers with these turns once the first task is begun, and then works as usual. */
const interrupted = (...turns: Turn[]): WorkshopOptions => {
  const walk = walkTasks();
  const policy: Policy = (seen) => {
    const hasTask = seen.calls.some(({ tool }) => tool === 'TaskUpdate');
    return (hasTask ? turns.shift() : undefined) ?? walk(seen);
  };
  return { model: { policy } };
};

const repeat = (times: number, turn: Turn) => Array.from({ length: times }, () => turn);

function signalClient({ home }: Workshop, signal: NodeJS.Signals): void {
  const table = openProcessTable();
  const clients = table
    .listCarriers('HOME')
    .filter(({ pid, value }) => value === home && table.find(pid)?.name === 'claude');
  if (clients.length === 0) throw new Error('There is no client.');
  signalAll(
    clients.map(({ pid }) => pid),
    signal,
  );
}

/** Runs a worker that looks at its run from the fault on, until it ends the run. */
async function lookedAt(
  it: Workshop,
  strike: (options: StruckOptions) => Promise<Ended>,
): Promise<Ended> {
  using looks = openLooks();
  const isEnding = () => it.events().some(({ type }) => type === 'run:stopping');
  return await strike({ ...looks.worker, onceGoing: () => looks.lookUntil(isEnding) });
}

/** The model was asked after the first task was begun. */
const hasBegun = ({ model }: Workshop) =>
  model.requests.some(({ conversation }) =>
    conversation.calls.some(({ tool }) => tool === 'TaskUpdate'),
  );

const requireRuns =
  (runs: number) =>
  ({ it }: Site): void => {
    const seen = it.events().filter(({ type }) => type === 'run:start').length;
    if (seen !== runs) throw new Error(`There were ${seen} runs, not ${runs}.`);
  };

function requireNoAttempts({ it }: Site): void {
  const { attempts } = JSON.parse(it.readStory('cart', 'one.json'));
  if (attempts !== undefined) throw new Error(`Task one counts ${attempts} attempts.`);
}

/** The model fails while task one is in progress. */
const failing = (id: string, fault: string, ...turns: Turn[]): Fault => ({
  id,
  fault,
  group: GROUP,
  ends: 'done',
  workshop: () => interrupted(...turns),
  strike: ({ work }) => work(),
  check: requireNoAttempts,
});

export const clientFaults: readonly Fault[] = [
  {
    id: 'client killed',
    group: GROUP,
    fault: '`kill -9` of the client in a run',
    ends: 'done',
    also: 'A second run does the rest.',
    strike: ({ it }) => strikeWorker(it, WRITES, () => signalClient(it, 'SIGKILL')),
    check: requireRuns(2),
  },
  {
    id: 'client stopped',
    group: GROUP,
    fault: 'the client is stopped (SIGSTOP)',
    ends: 'done',
    also: 'The run shows no sign of life and is ended; a second run does the rest.',
    config: LOOKED_AT,
    strike: ({ it }) =>
      lookedAt(it, (options) =>
        strikeWorker(it, WRITES, () => signalClient(it, 'SIGSTOP'), options),
      ),
    check: requireRuns(2),
  },
  {
    id: 'model hangs',
    group: GROUP,
    fault: 'the model never answers',
    ends: 'done',
    also: 'The run shows no sign of life and is ended; a second run does the rest.',
    config: LOOKED_AT,
    workshop: () => interrupted({ fault: { kind: 'hang' } }),
    strike: ({ it }) =>
      lookedAt(it, (options) =>
        strikeWhen(
          it,
          () => hasBegun(it),
          () => {},
          options,
        ),
      ),
    check: requireRuns(2),
  },
  failing(
    'streams cut',
    'three answers of the model are cut off in the middle',
    ...repeat(3, { text: 'I go on.', fault: { kind: 'cut-stream' } }),
  ),
  failing('429', 'the model refuses three times (429)', ...repeat(3, { fault: { status: 429 } })),
  failing('500', 'the model fails twice (500)', ...repeat(2, { fault: { status: 500 } })),
  failing(
    '529',
    'the model is overloaded (529) three times',
    ...repeat(3, { fault: { status: 529 } }),
  ),
  {
    id: '529 for long',
    group: GROUP,
    fault: 'the model is overloaded for longer than the client tries',
    ends: 'done',
    also: 'The worker waits and starts another run. No attempt is counted.',
    config: { worker: { retryMinutes: [0] } },
    workshop: () => interrupted(...repeat(3, { fault: { status: 529 } })),
    strike: ({ it }) => it.saga(['worker', 'cart'], { env: NO_RETRIES }),
    check: (site) => {
      requireRuns(4)(site);
      requireNoAttempts(site);
    },
  },
  {
    id: 'key refused',
    group: GROUP,
    fault: 'the key is refused (401) in the middle of a run',
    ends: 'error credential-refused',
    next: 'done',
    mended: 'with a key that is accepted',
    workshop: () => interrupted({ fault: { status: 401 } }),
    strike: ({ it }) => it.saga(['worker', 'cart'], { env: NO_RETRIES }),
    check: requireNoAttempts,
  },
];
