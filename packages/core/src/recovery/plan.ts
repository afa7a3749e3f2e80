import { isInFlight } from '@saga-ai/types/screens/in-flight';
import type { EvidenceLine, InFlight, Orphan } from '@saga-ai/types/screens/json/recovery';
import type { StoryView } from '@saga-ai/types/screens/overview';
import { count, listFiles } from '@saga-ai/types/words/amounts';
import { formatEpicBranch, formatStoryBranch } from '@saga-ai/types/words/names';
import type { DeadSession, RecoveryFacts, StoryDetails } from './facts.ts';
import { findOrphansIn } from './orphans.ts';

/** The stories that were in flight and the orphans, each with its evidence and what to do. */
export interface RecoveryPlan {
  inFlight: InFlight[];
  orphans: Orphan[];
  /** Stories with a living worker. */
  running: string[];
}

/** Derives what to do after a crash, from facts alone. */
export function planRecovery(facts: RecoveryFacts): RecoveryPlan {
  const stories = facts.stories.filter(isInFlight);
  return {
    inFlight: [
      ...facts.schedulers.map((session) => describeEpic(session, facts)),
      ...stories.map((story) => describeStory(story, facts)),
    ],
    orphans: findOrphansIn(facts),
    running: facts.stories.filter(({ running }) => running).map(({ id }) => id),
  };
}

function describeEpic(session: DeadSession, { epics, branches }: RecoveryFacts): InFlight {
  const id = session.story;
  const view = epics.find((it) => it.id === id);
  const hasBranch = branches.epics.local.has(id);
  return {
    id,
    kind: 'epic',
    title: view?.title ?? '',
    state: 'interrupted',
    reason: 'its scheduler was killed',
    worktree: null,
    branch: hasBranch ? formatEpicBranch(id) : null,
    pr: view?.pr ?? null,
    ...{ ahead: null, behind: null, unpushed: null, task: null },
    next: planResume(id, 'starts the scheduler again, which goes on with its stories'),
    evidence: citeSession(session),
  };
}

function describeStory(story: StoryView, facts: RecoveryFacts): InFlight {
  const { id, title, state, reason, pr, behind } = story;
  const details = facts.details.get(id) ?? { tasks: [], hasUntold: false };
  const { worktree, ahead, unpushed } = details;
  const isHere = facts.branches.stories.local.has(id);
  const isThere = facts.branches.stories.remote.has(id);
  const lock = facts.locks.find((it) => it.story === id && !it.isElsewhere);
  const remote = `${facts.branches.remote}/${formatStoryBranch(id)}`;
  const evidence: EvidenceLine[] = [
    ...(worktree ? citeWorktree(worktree) : []),
    ...(unpushed
      ? [
          {
            says: `${count(unpushed, 'commit')} not pushed`,
            source: isThere
              ? `git log ${remote}..${formatStoryBranch(id)}`
              : `git log ${formatStoryBranch(id)} --not --remotes`,
          },
        ]
      : []),
    ...(isHere || !isThere ? [] : [{ says: 'its branch is only on the remote', source: remote }]),
    ...(details.session ? citeSession(details.session) : []),
    ...(lock ? [{ says: 'lock is stale', source: lock.shown }] : []),
    ...citeTasks(details, story),
  ];
  return {
    ...{ id, kind: 'story', title, state, reason, pr, behind },
    worktree: worktree
      ? {
          folder: worktree.folder,
          changed: [...worktree.changed],
          operation: worktree.operation ?? null,
        }
      : null,
    branch: isHere ? formatStoryBranch(id) : isThere ? remote : null,
    ahead: ahead ?? null,
    unpushed: unpushed ?? null,
    task: details.tasks.find(({ status }) => status === 'in_progress')?.id ?? null,
    next: decideNext(story, details),
    evidence,
  };
}

function citeWorktree(worktree: NonNullable<StoryDetails['worktree']>): EvidenceLine[] {
  const { folder, changed, operation, hasUnfinishedRun } = worktree;
  const source = `git -C ${folder} status`;
  const files = count(changed.length, 'uncommitted file');
  return [
    changed.length === 0
      ? { says: 'worktree is clean', source }
      : { says: `worktree has ${files} (${listFiles(changed)})`, source },
    ...(operation === undefined ? [] : [{ says: `a ${operation} is under way in it`, source }]),
    ...(hasUnfinishedRun
      ? [{ says: 'a run was cut off', source: "saga-run.json in git's folder of the worktree" }]
      : []),
  ];
}

function citeSession({ pid, file, outcome, lastEvent }: DeadSession): EvidenceLine[] {
  return [
    ...(lastEvent
      ? [{ says: `last event ${lastEvent.type} ${lastEvent.time}`, source: lastEvent.file }]
      : []),
    outcome === undefined
      ? { says: `worker ${pid} is gone`, source: file }
      : { says: `its last worker ended: ${outcome}`, source: file },
  ];
}

function citeTasks({ tasks }: StoryDetails, { progress, home }: StoryView): EvidenceLine[] {
  const { completed, total } = progress;
  const under = tasks.filter(({ status }) => status === 'in_progress').map(({ id }) => id);
  return [
    {
      says:
        completed === total && total > 0
          ? `all ${count(total, 'task')} completed, gate not passed`
          : `${completed} of ${count(total, 'task')} completed`,
      source: home,
    },
    ...under.map((id) => ({ says: `task ${id} was under way`, source: `${home}/${id}.json` })),
  ];
}

/** Says what the command that helps would do. */
function decideNext(story: StoryView, details: StoryDetails): InFlight['next'] {
  const { id, state, next } = story;
  if (state === 'needs you') {
    const what = 'it needs your answer or your hand first';
    return { kind: 'person', command: next ?? `saga show ${id}`, what };
  }
  const first = details.worktree?.hasUnfinishedRun ? 'settles the run that was cut off, then ' : '';
  return planResume(id, `${first}${describeWork(details)}`);
}

const planResume = (id: string, what: string): InFlight['next'] => ({
  kind: 'resume',
  command: `saga recover --resume ${id}`,
  what,
});

function describeWork({ tasks, hasUntold, worktree }: StoryDetails): string {
  const isOpen = ({ status }: { status: string }) => status !== 'completed';
  if (!tasks.some(isOpen)) {
    return hasUntold ? 'works on what no run was told yet' : 'runs the gate only, no model run';
  }
  const current = tasks.find(({ status }) => status === 'in_progress');
  if (current) return `continues with task ${current.id}`;
  const done = new Set(tasks.filter((it) => !isOpen(it)).map(({ id }) => id));
  const ready = tasks.find((it) => isOpen(it) && it.blockedBy.every((other) => done.has(other)));
  const what = ready ? `goes on with task ${ready.id}` : 'goes on';
  return worktree ? what : `makes its worktree again and ${what}`;
}
