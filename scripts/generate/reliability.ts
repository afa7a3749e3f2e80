import { type End, type Fault, NOTHING } from '../../test/faults/matrix/fault.ts';
import { KILL_POINTS, OTHER_FAULTS } from '../../test/faults/matrix/list.ts';
import { FLEET_ROWS } from '../../test/runs/fleet/rows.ts';
import { page, table } from './page.ts';

/** The page that says, fault by fault, what happens. The tests of the matrix play every row. */
export function describeReliability(): string {
  const count = KILL_POINTS.length + OTHER_FAULTS.length;
  return page('What happens when something fails', [
    `This page lists ${count} faults of one machine, and below those of a fleet, with what SAGA does about each.
\`npm run test:long\` plays every row of one machine with a real worker: real git, tmux, gh and Claude Code, a scripted
model, and a GitHub on this machine. A story with two tasks is under way when the fault comes. Then the cause is taken away, and a second worker runs. The test fails unless all of this
holds:`,
    PROMISES.map((line) => `- ${line}`).join('\n'),
    `So in every row the columns *lost* and *left behind* say "${NOTHING}". The one exception is work that a person deletes
before it is committed.`,
    '## A worker that is killed',
    `\`kill -9\` of the worker at ${KILL_POINTS.length} moments. A test stops the worker exactly there and kills it.
Everything that the worker had started ends with it: the client, git, the setup and verify commands.`,
    ...sectionsOf(KILL_POINTS, ['killed …', 'lost', 'left behind', 'next run'], (fault) => [
      fault.fault,
      NOTHING,
      NOTHING,
      describeNext(fault),
    ]),
    ...sectionsOf(
      OTHER_FAULTS,
      ['fault', 'what happens', 'lost', 'left behind', 'next run'],
      (fault) => [
        fault.fault,
        describeHappening(fault),
        fault.loses === undefined ? NOTHING : 'what was not committed',
        NOTHING,
        describeNext(fault),
      ],
      '##',
    ),
    '## A fleet',
    `Faults of [several machines](guide/fleet.md) that share one engine. \`npm run test:long\` plays every row with a real
PostgreSQL and agents with homes and clones of their own. In every row nothing is lost that was pushed, nothing is merged
twice, and the story or epic ends with all tasks completed.`,
    table(
      ['fault', 'what happens'],
      Object.values(FLEET_ROWS).map(({ fault, happens }) => [fault, happens]),
    ),
    'Next: [After a crash, and undoing things](guide/recovery.md) · [Troubleshooting](guide/troubleshooting.md)',
  ]);
}

const PROMISES = [
  'The story ends with all tasks completed, a gate that passed, and evidence that `saga verify` accepts.',
  'There is one pull request, and it is ready for review.',
  'A task that was told to be completed stays completed. No later run works on it again.',
  'Every commit of before is on the branch, and none is there twice.',
  'The main checkout is as it was.',
  `No process, lock, temporary file, tmux session, worktree or ref is left that is not there after an undisturbed
  story.`,
];

function sectionsOf(
  faults: readonly Fault[],
  head: readonly string[],
  cellsOf: (fault: Fault) => readonly string[],
  level = '###',
): string[] {
  const groups = Map.groupBy(faults, ({ group }) => group);
  return [...groups].flatMap(([group, rows]) => [
    `${level} ${group}`,
    table(head, rows.map(cellsOf)),
  ]);
}

function describeHappening({ ends, also }: Fault): string {
  return [describeEnd(ends), also].filter(Boolean).join(' ');
}

function describeEnd(end: End): string {
  if (end === 'done') return 'The worker goes on and finishes the story.';
  if (end === 'killed') return 'The worker is gone.';
  if (end === 'limit') return 'The worker stops in order (exit code 2).';
  if (end === 'needs you') return 'The worker ends and needs you (exit code 3).';
  return `The worker ends with the error \`${end.replace('error ', '')}\`.`;
}

function describeNext({ next, mended }: Fault): string {
  if (next === undefined) return 'not needed';
  const words = next === 'done' ? 'finishes' : describeEnd(next);
  return mended === undefined ? words : `${words}, ${mended}`;
}
