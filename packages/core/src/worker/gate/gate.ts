import { isInStory } from '@saga-ai/types/plan/plan-paths';
import type { Evidence, GateCheck } from '@saga-ai/types/run/evidence';
import { maskDeep } from '@saga-ai/types/words/mask-secrets';
import { writeFileAtomic } from '../../files/atomic-write.ts';
import { formatJson } from '../../files/json-text.ts';
import { fetchBranch } from '../../git/find-base.ts';
import { type Git, isAncestor, listChanged, listUncommitted } from '../../git/git.ts';
import { listLeft } from '../../git/left-refs.ts';
import { openPlainGit } from '../../git/plain-git.ts';
import type { Worktree } from '../../git/worktree.ts';
import { loadEvidence } from '../../plan/load-evidence.ts';
import { loadStory } from '../../plan/stories.ts';
import { withStoryLock } from '../../plan/story-lock.ts';
import { noteInJournal } from '../../plan/worker-notes.ts';
import { evidenceFile } from '../../project/paths.ts';
import { findSecretsOf, type Worker } from '../context.ts';
import type { FailedGate } from '../decide/next-cycle.ts';
import { publish } from '../deliver/publish.ts';
import { explainFailure } from '../run/explain-walls.ts';
import { describeStop } from '../run/run-shell.ts';
import { commitStory } from '../settle/commit-story.ts';
import {
  checkBranch,
  checkHistory,
  checkLeft,
  failed,
  listFiles,
  passed,
  skipped,
} from './checks.ts';
import { runVerify } from './run-verify.ts';

/** Runs the checks between "all tasks completed" and "ready for review" and returns their results. */
export async function runGate(
  worker: Worker,
  worktree: Worktree,
  restored: readonly string[],
  /** The version of the client; undefined if no client was needed. */
  client?: string,
): Promise<Evidence> {
  const { paths, storyId, config, emit } = worker;
  const git = openPlainGit(worktree.folder, worker.env);
  await commitStory(worker, worktree);
  const { story, tasks } = loadStory(paths, storyId);
  const command = story.verify ?? config.gate.verify;
  const current = await findCurrentEvidence(worker, worktree, git, command);
  if (current) {
    // SAGA may have committed bookkeeping since, such as the address of a pull request.
    await publish(worktree, emit);
    emit('gate:passed', { head: current.head, again: false });
    return current;
  }
  const startedAt = new Date().toISOString();
  emit('gate:start', {});
  const tip = await findTip(worker, worktree);
  const [common, head, tree, left] = await Promise.all([
    git.attempt(['merge-base', tip, 'HEAD']),
    git.run(['rev-parse', 'HEAD']),
    git.run(['rev-parse', 'HEAD^{tree}']),
    listLeft(git, worktree.branch),
  ]);
  const hasCommonCommit = common.code === 0;
  // Without a common commit, the story is compared with the base as it is now.
  const base = hasCommonCommit ? common.stdout.trim() : tip;
  const uncommitted = await listUncommitted(git);
  const checks: GateCheck[] = [];
  const note = (check: GateCheck) => {
    checks.push(check);
    emit('gate:check', { check });
  };
  checkBranch({
    story,
    tasks,
    uncommitted,
    changed: await listChanged(git, base, head),
    protectedFiles: config.gate.protectedFiles,
    restored,
  }).forEach(note);
  const { branch, folder } = worktree;
  const history = { branch, folder, base: nameBase(worktree), hasCommonCommit, left };
  note(checkHistory(history));
  note(checkLeft(history));
  const verify = command === null ? undefined : await runVerify(worker, worktree, command);
  note(await checkVerify(worker, git, uncommitted, verify));
  note(await checkPushed(worker, worktree));
  const evidence: Evidence = {
    version: 1,
    story: storyId,
    outcome: checks.some((it) => it.outcome === 'failed') ? 'failed' : 'passed',
    base,
    head,
    tree,
    startedAt,
    endedAt: new Date().toISOString(),
    ...(client === undefined ? {} : { client }),
    checks,
    ...(verify ? { verify } : {}),
    restored: [...restored],
  };
  // A gate that was cut off gives a person nothing to act on, so it is not saved.
  if (worker.stop.aborted || checks.some((it) => it.wasStopped)) return evidence;
  await saveEvidence(worker, worktree, evidence);
  emit(evidence.outcome === 'passed' ? 'gate:passed' : 'gate:failed', { head, checks });
  return evidence;
}

/** The base as git names it, such as origin/main. */
function nameBase({ base: { remote, branch, commit } }: Worktree): string {
  if (branch === undefined) return commit.slice(0, 12);
  return remote === undefined ? branch : `${remote}/${branch}`;
}

/**
 * Returns the commit that the story is compared with: the current tip of the base branch. A run may
 * have merged the base, and those changes do not belong to the story. The remote is asked because a
 * run could move the local tracking branch.
 */
async function findTip({ emit, paths }: Worker, { git, base }: Worktree): Promise<string> {
  const { remote, branch, isUnreachable } = base;
  if (remote === undefined || branch === undefined || isUnreachable) return base.commit;
  if (paths.isRehearsal) return base.commit;
  const fetched = await fetchBranch(git, remote, branch, { emit });
  const tip = fetched === 'fetched' && (await git.resolve(`refs/remotes/${remote}/${branch}`));
  return tip || base.commit;
}

/** The failed checks: in words with what verify printed, as the next run is told, and by name. */
export function describeFailures(
  evidence: Evidence,
): Pick<FailedGate, 'failures' | 'checks' | 'detail' | 'stoppedBy'> {
  const failed = evidence.checks.filter((it) => it.outcome === 'failed');
  const failures = failed.map(({ name, detail }) => {
    const said = name === 'verify' && evidence.verify ? `\n${evidence.verify.outputEnd}` : '';
    return `${name}: ${detail}${said}`.trimEnd();
  });
  const stoppedBy = failed.find((it) => it.stoppedBy !== undefined)?.stoppedBy;
  return {
    failures,
    checks: failed.map(({ name }) => name),
    detail: failed[0] ? `${failed[0].name}: ${failed[0].detail}` : '',
    ...(stoppedBy === undefined ? {} : { stoppedBy }),
  };
}

const UNVERIFIED = 'unverified: no command configured';

/**
 * Fails if the command left new files: then it did not test what is committed, and the files would be
 * in the way of the next run.
 */
async function checkVerify(
  worker: Worker,
  git: Git,
  before: readonly string[],
  verify: Evidence['verify'],
): Promise<GateCheck> {
  if (!verify) return skipped('verify', UNVERIFIED);
  const { command, exitCode, stoppedBy } = verify;
  if (exitCode === null) {
    const check = failed('verify', `${command} was ${describeStop(worker, verify)}`);
    const hasResult = stoppedBy === 'timeout' || stoppedBy === undefined;
    return {
      ...check,
      ...(stoppedBy === undefined ? {} : { stoppedBy }),
      ...(hasResult ? {} : { wasStopped: true }),
    };
  }
  if (exitCode !== 0) {
    const wall = explainFailure(worker, git.folder, verify.outputEnd);
    const ended = `${command} ended with code ${exitCode}`;
    return failed('verify', wall === undefined ? ended : `${ended}. ${wall}`);
  }
  const left = (await listUncommitted(git)).filter((path) => !before.includes(path));
  if (left.length === 0) return passed('verify', `${command} ended with code 0`);
  const what = `${command} leaves files that are neither committed nor ignored`;
  return failed('verify', `${what}: ${listFiles(left)}`, left);
}

async function checkPushed({ emit }: Worker, worktree: Worktree): Promise<GateCheck> {
  if (worktree.base.remote === undefined) return skipped('pushed', 'there is no remote');
  const published = await publish(worktree, emit, { isAsked: true });
  return published.pushed
    ? passed('pushed', `${worktree.branch} is on ${worktree.base.remote}`)
    : failed('pushed', published.reason);
}

async function saveEvidence(worker: Worker, worktree: Worktree, evidence: Evidence): Promise<void> {
  const { paths, storyId, emit } = worker;
  await withStoryLock(paths, storyId, (home) => {
    const shown = maskDeep(evidence, findSecretsOf(worker));
    writeFileAtomic(evidenceFile(home), formatJson(shown));
  });
  const isPassed = evidence.outcome === 'passed';
  if (!isPassed) {
    const failed = evidence.checks.filter((it) => it.outcome === 'failed');
    const why = failed.map(({ name, detail }) => `${name}: ${detail}`).join('; ');
    await noteInJournal(worker, `the gate failed: ${why}`);
  }
  await commitStory(worker, worktree, isPassed ? 'passed its gate' : 'did not pass its gate');
  await publish(worktree, emit);
}

/**
 * Returns the evidence of an earlier gate if it passed and only SAGA's bookkeeping changed since, else
 * undefined.
 */
async function findCurrentEvidence(
  { paths, storyId }: Worker,
  { branch }: Worktree,
  git: Git,
  command: string | null,
): Promise<Evidence | undefined> {
  const { home, tasks } = loadStory(paths, storyId);
  const evidence = loadEvidence(paths, home);
  if (evidence?.outcome !== 'passed') return undefined;
  if ((evidence.verify?.command ?? null) !== command) return undefined;
  if (tasks.some((task) => task.status !== 'completed')) return undefined;
  if (!(await isAncestor(git, evidence.head, 'HEAD'))) return undefined;
  if ((await listLeft(git, branch)).length > 0) return undefined;
  const since = await listChanged(git, evidence.head, 'HEAD');
  const isSame = since.every((path) => isInStory(path, storyId));
  return isSame && (await listUncommitted(git)).length === 0 ? evidence : undefined;
}
