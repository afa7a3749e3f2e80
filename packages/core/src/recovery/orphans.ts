import type { Orphan } from '@saga-ai/types/screens/json/recovery';
import { count, formatDuration } from '@saga-ai/types/words/amounts';
import { formatEpicBranch, formatStoryBranch } from '@saga-ai/types/words/names';
import { quote } from '../project/quote.ts';
import type { RecoveryFacts } from './facts.ts';

/** Lists the orphans, each with a name, an explanation and a remedy. */
export function findOrphansIn(facts: RecoveryFacts): Orphan[] {
  return [
    ...findWorktrees(facts),
    ...findBranches(facts),
    ...findLocks(facts),
    ...findSessions(facts),
    ...findLists(facts),
    ...findProcesses(facts),
  ];
}

const DOCTOR = 'saga doctor --fix';

function findWorktrees({ worktrees, stories }: RecoveryFacts): Orphan[] {
  const states = new Map(stories.map(({ id, state }) => [id, state]));
  return worktrees.flatMap(({ story, folder, shown, isGone, isPlanned }): Orphan[] => {
    const evidence = [{ says: `git lists ${folder}`, source: 'git worktree list' }];
    if (isGone) {
      return [
        {
          kind: 'worktree-gone',
          name: shown,
          explanation: `the folder of the worktree of ${story} is gone; what was not committed there went with it`,
          remedy: states.has(story) ? `saga run ${story} makes it again from its branch` : DOCTOR,
          evidence: [...evidence, { says: 'there is no such folder', source: folder }],
        },
      ];
    }
    if (isPlanned || states.get(story) === 'done') return [];
    return [
      {
        kind: 'worktree-without-story',
        name: shown,
        explanation: states.has(story)
          ? `the main checkout has no story ${story}; its only copy is in this worktree`
          : `no checkout has the folder of story ${story}`,
        remedy: `saga recover --discard ${story} (kept in the trash)`,
        evidence,
      },
    ];
  });
}

function findBranches(facts: RecoveryFacts): Orphan[] {
  const { branches, stories, epics, archived, worktrees } = facts;
  const states = new Map(stories.map(({ id, state }) => [id, state]));
  const covered = new Set(worktrees.map(({ story }) => story));
  const isKnown = (id: string) => states.has(id) || archived.has(id);
  const found: Orphan[] = [];
  for (const id of branches.stories.local) {
    if (!isKnown(id) && !covered.has(id))
      found.push(withoutItem(formatStoryBranch(id), id, 'story'));
  }
  for (const id of branches.epics.local) {
    const isEpic = epics.some((it) => it.id === id) || archived.has(id);
    if (!isEpic) found.push(withoutItem(formatEpicBranch(id), id, 'epic'));
  }
  for (const id of branches.stories.remote) {
    // For a story in review, a branch without a worktree is no orphan: another machine has the worktree.
    const isFine = ['in review', 'running', 'needs you'].includes(states.get(id) ?? '');
    if (branches.stories.local.has(id) || isFine) continue;
    const name = `${branches.remote}/${formatStoryBranch(id)}`;
    const drop = `git push ${branches.remote} --delete ${formatStoryBranch(id)}`;
    const explanation = states.has(id)
      ? states.get(id) === 'done'
        ? `${id} is merged; its branch is still on the remote`
        : `${id} was begun elsewhere; its branch is only on the remote`
      : `no story ${id} is planned here`;
    const remedy =
      states.get(id) === 'done'
        ? drop
        : states.has(id)
          ? `saga run ${id} goes on from it`
          : `look at it: git log ${name}. If nobody needs it: ${drop}`;
    const evidence = [
      { says: 'no branch of that name here', source: `git branch -r --list ${name}` },
    ];
    found.push({ kind: 'branch-only-on-remote', name, explanation, remedy, evidence });
  }
  return found;
}

function withoutItem(name: string, id: string, what: 'story' | 'epic'): Orphan {
  return {
    kind: 'branch-without-story',
    name,
    explanation: `no ${what} ${id} is planned here`,
    remedy: `saga recover --discard ${id} (kept in the trash)`,
    evidence: [{ says: 'the branch exists', source: `git branch --list ${name}` }],
  };
}

function findLocks({ locks, now }: RecoveryFacts): Orphan[] {
  return locks.map(({ path, shown, pid, host, since, isElsewhere, story }) => {
    const evidence = [{ says: `held by process ${pid} on ${host}`, source: shown }];
    if (!isElsewhere) {
      return {
        kind: 'lock-of-the-dead',
        name: shown,
        explanation: `process ${pid} is gone; the next command that needs the lock takes it over`,
        remedy: DOCTOR,
        evidence,
      };
    }
    return {
      kind: 'lock-of-another-machine',
      name: shown,
      explanation: `held by process ${pid} on ${host} for ${formatDuration(now - since)}`,
      remedy: `If that machine is gone: ${story === undefined ? `rm -r ${quote(path)}` : `saga stop --forget ${story}`}`,
      evidence,
    };
  });
}

function findSessions({ tmux, elsewhere, now }: RecoveryFacts): Orphan[] {
  return [
    ...tmux.map(
      ({ session, kill }): Orphan => ({
        kind: 'session-without-worker',
        name: session,
        explanation: 'the tmux session is there, but its worker is gone',
        remedy: kill,
        evidence: [{ says: 'the session is listed', source: 'tmux list-sessions' }],
      }),
    ),
    ...elsewhere.map(
      ({ session, story, host, startedAt, file }): Orphan => ({
        kind: 'session-of-another-machine',
        name: session,
        explanation: `started on ${host} ${formatDuration(now - Date.parse(startedAt))} ago and never ended`,
        remedy: `If that machine is gone: saga stop --forget ${story}`,
        evidence: [{ says: `its host is ${host}`, source: file }],
      }),
    ),
  ];
}

function findLists({ lists, stories }: RecoveryFacts): Orphan[] {
  const known = new Set(stories.map(({ id }) => id));
  return lists
    .filter(({ story }) => !known.has(story))
    .map(({ name, story, folder }) => ({
      kind: 'list-without-story',
      name,
      explanation: `a task list of Claude Code for story ${story}, which is not planned here any more`,
      remedy: 'saga clean',
      evidence: [{ says: 'the folder exists', source: folder }],
    }));
}

function findProcesses({ processes }: RecoveryFacts): Orphan[] {
  return [...Map.groupBy(processes, ({ session }) => session)].map(([session, found]) => {
    const names = [...new Set(found.map(({ name, pid }) => `${name} (${pid})`))].join(', ');
    return {
      kind: 'process-without-worker',
      name: found[0]?.story ?? session,
      explanation: `${count(found.length, 'process', 'processes')} outlived the worker: ${names}`,
      remedy: DOCTOR,
      evidence: [{ says: `carries the mark of ${session}`, source: 'the process table' }],
    };
  });
}
