import { formatTable } from '../measure/table.ts';
import { formatMemory, formatRatio, formatTime } from '../measure/tables.ts';
import type { Target } from '../measure/targets.ts';
import { measureCleanVerify } from './clean-verify.ts';
import { measureElsewhere } from './elsewhere-cost.ts';
import { type FirstClient, measureFirstClient } from './first-client.ts';
import { measureGuardCost } from './guard-cost.ts';
import { measureOutput, type OutputCost } from './large-output.ts';
import { measureSandbox } from './sandbox-cost.ts';
import { measureSteering } from './steering.ts';

const FIRST_CLIENT_MS = 170;
const GUARD_MS = 12;
const CLEAN_MS = 2000;
const ELSEWHERE_MS = 20;
const SANDBOX_MS = 100;
const SANDBOX_CALL_MS = 5;
const REFS = 5_000;
const TELL_MS = 100;
const SAME = 0.6;
/** Two runs of the same story differ by as much on a busy machine. */
const NO_SLOWER = 1.25;
const ROUNDS = 5;

/** What a worker costs beside the model: to begin, per tool call, and with a long history. */
export async function benchWorker(): Promise<{ table: string; targets: Target[] }> {
  const first = await repeat(measureFirstClient);
  const cost = await measureGuardCost(5);
  // The run that the rest of the machine disturbed least, of each kind.
  const [guarded, bare] = [calmest(cost.guarded), calmest(cost.bare)];
  const elsewhere = await measureElsewhere(REFS, ROUNDS * 3, { isPacked: true });
  const loose = await measureElsewhere(REFS, ROUNDS * 3, { isPacked: false });
  const sandbox = await measureSandbox(ROUNDS);
  const small: OutputCost[] = [];
  const large: OutputCost[] = [];
  for (let i = 0; i < 3; i++) {
    small.push(await measureOutput(false));
    large.push(await measureOutput(true));
  }
  const verify = await measureCleanVerify(ROUNDS);
  const steering = await measureSteering(ROUNDS);
  const own = first.map((it) => it.own);
  const extra = median(guarded) - median(bare);
  const slower = Math.min(...large.map((it) => it.time)) / Math.min(...small.map((it) => it.time));
  const growth = most(large) - most(small);
  return {
    table: formatTable([
      ['worker', 'median', 'fastest'],
      ['start to first client', ...pair(first.map((it: FirstClient) => it.total))],
      ['  of it git worktree add, git push, gh', ...pair(first.map((it) => it.others))],
      ['  of it SAGA', ...pair(own)],
      ['one tool call, no hooks', ...pair(bare)],
      ['one tool call, guard and sync', ...pair(guarded)],
      ['verify in the worktree, 50,000 ignored files', ...pair(verify.plain)],
      ['verify in a clean checkout, no setup', ...pair(verify.clean)],
      ['outside the worktree, 5,000 packed refs: remember, compare', ...pair(elsewhere)],
      ['outside the worktree, 5,000 loose refs: remember, compare', ...pair(loose)],
      ...(sandbox
        ? [
            ['walls of a run, 1,000 refs: up and down', ...pair(sandbox.run)],
            ['one shell command, no sandbox', ...pair(calmest(sandbox.open))],
            ['one shell command, sandbox', ...pair(calmest(sandbox.enclosed))],
          ]
        : []),
      ['end of a command to the next question, no message', ...pair(steering.untold)],
      ['end of a command to the next question, with a message', ...pair(steering.told)],
      ['a story, new output file', ...pair(small.map((it) => it.time)), formatMemory(most(small))],
      ['a story, 200 MB before it', ...pair(large.map((it) => it.time)), formatMemory(most(large))],
    ]),
    targets: [
      target('start to first client, beyond git and gh', Math.min(...own), FIRST_CLIENT_MS),
      target('guard and sync per tool call, median', extra, GUARD_MS),
      target(
        'clean verify beyond plain verify',
        Math.min(...verify.clean) - Math.min(...verify.plain),
        CLEAN_MS,
      ),
      target('what lies outside a worktree, per run', Math.min(...elsewhere), ELSEWHERE_MS),
      ...(sandbox
        ? [
            target('sandbox per run', Math.min(...sandbox.run), SANDBOX_MS),
            target(
              'sandbox per tool call, median',
              median(calmest(sandbox.enclosed)) - median(calmest(sandbox.open)),
              SANDBOX_CALL_MS,
            ),
          ]
        : []),
      target('a message reaches the model after its command', Math.min(...steering.told), TELL_MS),
      {
        about: 'mending in the same conversation',
        found: `${formatRatio(steering.same / steering.fresh)} the tokens of a new one`,
        limit: formatRatio(SAME),
        met: steering.same <= steering.fresh * SAME,
      },
      {
        about: 'a story with a 200 MB output file',
        found: `${formatRatio(slower)} the time, ${formatMemory(growth)} more memory`,
        limit: `${formatRatio(NO_SLOWER)}, ${formatMemory(10)}`,
        met: slower <= NO_SLOWER && growth <= 10,
      },
    ],
  };
}

async function repeat<T>(measure: () => Promise<T>): Promise<T[]> {
  const found: T[] = [];
  for (let i = 0; i < ROUNDS; i++) found.push(await measure());
  return found;
}

function target(about: string, found: number, limit: number): Target {
  return { about, found: formatTime(found), limit: formatTime(limit), met: found <= limit };
}

function calmest(runs: readonly (readonly number[])[]): readonly number[] {
  return runs.toSorted((a, b) => median(a) - median(b))[0] ?? [];
}

const most = (costs: readonly OutputCost[]) => Math.max(...costs.map((it) => it.memory));
const pair = (values: readonly number[]) => [
  formatTime(median(values)),
  formatTime(Math.min(...values)),
];

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
