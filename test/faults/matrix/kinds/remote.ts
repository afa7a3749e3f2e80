import { chmodSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { after, before } from '../../../rig/faults/point.ts';
import { strikeWorker } from '../../../rig/faults/struck-worker.ts';
import type { Workshop } from '../../../rig/worker/workshop.ts';
import type { Fault, Site } from '../fault.ts';
import { requireSaid } from './require-said.ts';

const GROUP = 'The remote and GitHub';
const IN_RUN = after('event', 'run:tool', { has: '"name":"Write"' });

/** A clone of somebody else, who commits and pushes. */
function pushFromElsewhere(it: Workshop, branch: string, ...push: string[]): void {
  const clone = `${it.origin}.${branch.replace('/', '-')}`;
  it.git('clone', '-q', '-b', branch, it.origin, clone);
  it.git('-C', clone, 'commit', '-q', '--allow-empty', '-m', `Theirs on ${branch}`);
  it.git('-C', clone, 'push', '-q', ...push, 'origin', branch);
}

function requireOnBranch({ it }: Site, subject: string): void {
  const log = it.git('-C', it.origin, 'log', '--format=%s', 'story/cart');
  if (!log.split('\n').includes(subject)) throw new Error(`${subject} is not on the branch.`);
}

const hookOf = (it: Workshop) => join(it.origin, 'hooks/update');
const awayOf = (it: Workshop) => `${it.origin}.away`;
const CLONES = [/^origin\.git\.(main|story)/];

export const remoteFaults: readonly Fault[] = [
  {
    id: 'remote gone',
    group: GROUP,
    fault: 'the remote cannot be reached from the middle of a run on',
    ends: 'needs you',
    also: 'All work is committed here; the gate says what could not be pushed.',
    next: 'done',
    mended: 'with the remote back, without another run',
    strike: ({ it }) => strikeWorker(it, IN_RUN, () => renameSync(it.origin, awayOf(it))),
    mend: ({ it }) => renameSync(awayOf(it), it.origin),
    check({ it }, struck) {
      requireSaid(struck, '✗ pushed');
      requireNoRun(it);
    },
  },
  {
    id: 'remote gone at the start',
    group: GROUP,
    fault: 'the remote cannot be reached at the start, and is back later',
    ends: 'done',
    also: 'The pull request is opened at the end.',
    prepare: ({ it }) => renameSync(it.origin, awayOf(it)),
    strike: ({ it }) => strikeWorker(it, IN_RUN, () => renameSync(awayOf(it), it.origin)),
    check: requireLatePullRequest,
  },
  {
    id: 'remote refuses',
    group: GROUP,
    fault: 'the remote refuses the push',
    ends: 'needs you',
    also: "The gate shows the remote's words.",
    next: 'done',
    mended: 'once it is allowed, without another run',
    strike: ({ it }) =>
      strikeWorker(it, IN_RUN, () => {
        it.write('../origin.git/hooks/update', '#!/bin/sh\necho "Closed today." >&2\nexit 1\n');
        chmodSync(hookOf(it), 0o755);
      }),
    mend: ({ it }) => rmSync(hookOf(it)),
    check({ it }, struck) {
      requireSaid(struck, 'Closed today.');
      requireNoRun(it);
    },
  },
  {
    id: 'main moved',
    group: GROUP,
    fault: 'main moves ahead in the middle of a run',
    ends: 'done',
    strike: ({ it }) => strikeWorker(it, IN_RUN, () => pushFromElsewhere(it, 'main')),
    keeps: CLONES,
  },
  {
    id: 'branch moved before',
    group: GROUP,
    fault: "somebody pushed to the story's branch between two workers",
    ends: 'done',
    also: 'The commit is taken in.',
    async prepare({ it }) {
      await strikeWorker(it, after('event', 'run:start'), (worker) => worker.kill('SIGTERM'));
      pushFromElsewhere(it, 'story/cart');
    },
    strike: ({ work }) => work(),
    check: (site) => requireOnBranch(site, 'Theirs on story/cart'),
    keeps: CLONES,
  },
  {
    id: 'branch moved',
    group: GROUP,
    fault: "somebody pushes to the story's branch in the middle of a run",
    ends: 'needs you',
    also: 'Nothing is overwritten; the gate says how to take the commit in.',
    next: 'done',
    mended: 'after `git pull --rebase` in the worktree',
    strike: ({ it }) => strikeWorker(it, IN_RUN, () => pushFromElsewhere(it, 'story/cart')),
    mend: ({ it, worktree }) =>
      it.git('-C', worktree, 'pull', '-q', '--rebase', 'origin', 'story/cart'),
    check(site, struck) {
      requireSaid(struck, 'pull --rebase');
      requireOnBranch(site, 'Theirs on story/cart');
    },
    rewrites: true,
    keeps: CLONES,
  },
  {
    id: 'branch force-pushed',
    group: GROUP,
    fault: "somebody force-pushes the story's branch in the middle of a run",
    ends: 'needs you',
    also: 'Nothing is overwritten.',
    next: 'done',
    mended: 'after `git push --force` from the worktree',
    strike: ({ it }) =>
      strikeWorker(it, IN_RUN, () => {
        pushFromElsewhere(it, 'main');
        it.git('-C', `${it.origin}.main`, 'push', '-q', '--force', 'origin', 'main:story/cart');
      }),
    mend({ it, worktree }) {
      const theirs = it.git('-C', it.origin, 'log', '-1', '--format=%s', 'story/cart').trim();
      if (theirs !== 'Theirs on main') throw new Error(`The remote has ${theirs}.`);
      it.git('-C', worktree, 'push', '-q', '--force', 'origin', 'story/cart');
    },
    keeps: CLONES,
  },
  {
    id: 'main force-pushed',
    group: GROUP,
    fault: 'main is force-pushed to an older commit in the middle of a run',
    ends: 'done',
    prepare({ it }) {
      it.git('commit', '-q', '--allow-empty', '-m', 'Taken back later');
      it.git('push', '-q', 'origin', 'main');
    },
    strike: ({ it }) =>
      strikeWorker(it, IN_RUN, () => it.git('push', '-q', '--force', 'origin', 'main~1:main')),
  },
  {
    id: 'pull request not given',
    group: GROUP,
    fault: 'GitHub fails (502) when the pull request is opened',
    ends: 'done',
    also: 'It is opened at the end.',
    prepare: ({ it }) => it.github.faults.push('PullRequestCreate'),
    strike: ({ work }) => work(),
    check: requireLatePullRequest,
  },
  {
    id: 'pull request not marked',
    group: GROUP,
    fault: 'GitHub fails (502) when the pull request is marked ready',
    ends: 'done',
    also: 'It is tried again.',
    prepare: ({ it }) => it.github.faults.push('PullRequestReadyForReview'),
    strike: ({ work }) => work(),
  },
  {
    id: 'killed after a lost answer',
    group: GROUP,
    fault: 'the worker is killed when the pull request is open and before it knows the number',
    ends: 'killed',
    also: 'The next worker finds the pull request.',
    next: 'done',
    strike: ({ it }) =>
      strikeWorker(it, before('event', 'pull-request:created'), (worker) => worker.kill('SIGKILL')),
  },
];

function requireLatePullRequest({ it }: Site): void {
  const isLate = it.events().some(({ type }) => type === 'pull-request:skipped');
  if (!isLate) throw new Error('The pull request was opened at the start.');
}

function requireNoRun(it: Workshop): void {
  if (it.events().some(({ type }) => type === 'run:start')) throw new Error('There was a run.');
}
