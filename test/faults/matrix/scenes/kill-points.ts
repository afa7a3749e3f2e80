import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, type Moment } from '../../../rig/faults/moment.ts';
import { kill, strikeWhen, strikeWorker } from '../../../rig/faults/struck-worker.ts';
import type { Fault } from '../fault.ts';

const completed = { has: '"task":"one","to":"completed"' };
const started = { has: '"task":"one","to":"in_progress"' };

/** Where a worker is killed, in the order in which it comes there. */
const MOMENTS: readonly (readonly [group: string, ...(readonly [string, Moment])[]])[] = [
  [
    'Start',
    ['as it starts', after('event', 'worker:start')],
    ['before it checks anything', after('event', 'preflight:start')],
    ['with all checks passed', after('event', 'preflight:passed')],
    ['before it takes the lock of the story', before('file', 'locks/worker-cart')],
    ['with the lock of the story', after('file', 'locks/worker-cart')],
    ['before its session is recorded', before('file', '.json', { has: 'sessions/saga-story' })],
  ],
  [
    'Worktree',
    ['before it asks the remote', before('program', 'git fetch')],
    ['after it asked the remote', after('program', 'git fetch')],
    ['before the branch is made', before('program', 'git branch')],
    ['after the branch is made', after('program', 'git branch')],
    ['before the worktree is made', before('program', 'git worktree add')],
    ['after the worktree is made', after('program', 'git worktree add')],
    ['with the worktree announced', after('event', 'worktree:created')],
    ['before the plan is moved into the worktree', before('file', 'stories/cart')],
    ['after the plan is moved into the worktree', after('file', 'stories/cart')],
    ['before the plan is committed', before('program', 'git commit', { has: 'begin story' })],
    ['after the plan is committed', after('program', 'git commit', { has: 'begin story' })],
  ],
  [
    'Pull request',
    ['before the pull request is looked for', after('event', 'pull-request:start')],
    ['before the first push', before('program', 'git push')],
    ['after the first push', after('program', 'git push')],
    ['with the push announced', after('event', 'push:done')],
    ['before the pull request is opened', before('program', 'gh pr create')],
    ['after the pull request is opened', after('program', 'gh pr create')],
    ['with the pull request announced', after('event', 'pull-request:created')],
    ['before its number is committed', before('program', 'git commit', { has: 'pull request of' })],
    ['after its number is committed', after('program', 'git commit', { has: 'pull request of' })],
  ],
  [
    'Task list and run',
    ['before the task list is written', after('event', 'hydrate:start')],
    ['after the task list is written', after('file', '', { has: 'tasks/saga__cart' })],
    ['with the task list announced', after('event', 'hydrate:done')],
    ['with one of two notes of the run', after('file', 'unfinished/cart.json')],
    ['with both notes of the run', after('file', 'saga-run.json')],
    ['as the run is announced', after('event', 'run:start')],
    ['before the client starts', before('program', 'claude -p')],
    ['as the client is ready', after('event', 'run:init')],
    ['at the first tool call', after('event', 'run:tool')],
    ['before a status in progress is saved', before('file', 'cart/one.json')],
    ['after a status in progress is saved', before('event', 'task:status', started)],
    ['as a file is written', after('event', 'run:tool', { has: '"name":"Write"' })],
    ['as the run commits', after('event', 'run:tool', { has: '"name":"Bash"' })],
    ['when the run has committed', after('event', 'run:result', { has: 'one: Do one' })],
    ['between a status in the list and its save', before('file', 'cart/one.json', { nth: 2 })],
    ['after a completed status is saved', before('event', 'task:status', completed)],
    ['with a completed status announced', after('event', 'task:status', completed)],
    ['as the run says how it ended', after('event', 'run:outcome')],
    ['when the client has ended', after('program', 'claude -p')],
    ['as the end of the run is announced', after('event', 'run:end')],
  ],
  [
    'Settling',
    ['before the list is reconciled', before('event', 'reconcile:done')],
    ['after the list is reconciled', after('event', 'reconcile:done')],
    ['before the statuses are committed', before('program', 'git commit', { has: 'completed' })],
    ['after the statuses are committed', after('program', 'git commit', { has: 'completed' })],
    ['before the work is pushed', before('program', 'git push', { nth: 2 })],
    ['after the work is pushed', after('program', 'git push', { nth: 2 })],
  ],
  [
    'Gate',
    ['as the gate begins', after('event', 'gate:start')],
    ['before the clean checkout', before('program', 'git reset')],
    ['after the clean checkout', after('program', 'git reset')],
    ['as verify is announced', after('event', 'gate:verify')],
    ['when verify has ended', after('event', 'gate:check', { has: '"name":"verify"' })],
    ['before the evidence is signed', before('program', 'ssh-keygen -Y sign')],
    ['after the evidence is signed', after('program', 'ssh-keygen -Y sign')],
    ['before the evidence is written', before('file', 'cart/evidence.json')],
    ['after the evidence is written', after('file', 'cart/evidence.json')],
    ['before the evidence is committed', before('program', 'git commit', { has: 'passed its' })],
    ['after the evidence is committed', after('program', 'git commit', { has: 'passed its' })],
    ['before the evidence is pushed', before('program', 'git push', { nth: 4 })],
    ['after the evidence is pushed', after('program', 'git push', { nth: 4 })],
    ['with the gate passed', after('event', 'gate:passed')],
  ],
  [
    'Ready for review',
    ['before the pull request is marked ready', before('program', 'gh pr ready')],
    ['after the pull request is marked ready', after('program', 'gh pr ready')],
    ['with ready announced', after('event', 'pull-request:ready')],
    ['before it says its last word', before('event', 'worker:end')],
  ],
];

const KILLED = { ends: 'killed', next: 'done' } as const;

const atMoments: readonly Fault[] = MOMENTS.flatMap(([group, ...moments]) =>
  moments.map(([title, moment], at) => ({
    ...KILLED,
    id: `kill ${group.toLowerCase()} ${at + 1}`,
    group,
    fault: title,
    strike: ({ it }) => strikeWorker(it, moment, kill),
  })),
);

/** It ends at once when it is called again. The worktree is not the place: verify has a checkout of its own. */
const hangOnce = (mark: string) => `[ -e '${mark}' ] || { touch '${mark}'; exec sleep 1000; }`;

const markOf = (home: string) => join(home, '.config/it-hangs');

function inCommand(id: string, fault: string, more: Partial<Fault>): Fault {
  return {
    ...KILLED,
    id,
    fault,
    group: 'Commands that run',
    strike: ({ it }) => strikeWhen(it, () => existsSync(markOf(it.home)), kill),
    keeps: [/it-hangs/],
    ...more,
  };
}

const inCommands: readonly Fault[] = [
  inCommand('kill in a tool call', 'in the middle of a tool call', {
    workshop: () => ({
      rehearsals: {
        one: {
          run: [hangOnce('$HOME/.config/it-hangs').replaceAll("'", '"')],
          commit: 'one: Do one',
        },
      },
    }),
  }),
  inCommand('kill in setup', 'while the setup command runs', {
    config: { worktree: { setup: 'true' } },
    prepare: ({ it }) =>
      it.write('.saga/config.json', { worktree: { setup: hangOnce(markOf(it.home)) } }),
  }),
  inCommand('kill in verify', 'while the verify command runs', {
    story: (it) => ({ verify: hangOnce(markOf(it.home)) }),
  }),
];

export const killPoints: readonly Fault[] = [...atMoments, ...inCommands];
