import { isInStory } from '@saga-ai/types/plan/plan-paths';
import type { Evidence, GateCheck } from '@saga-ai/types/run/evidence';
import { maskDeep } from '@saga-ai/types/words/mask-secrets';
import { writeFileAtomic } from '../../files/atomic-write.ts';
import { formatJson } from '../../files/json-text.ts';
import { fetchBranch } from '../../git/find-base.ts';
import { type Git, isAncestor, listChanged } from '../../git/git.ts';
import { openPlainGit } from '../../git/plain-git.ts';
import { listLeft } from '../../git/refs/left-refs.ts';
import { listUncommitted } from '../../git/uncommitted.ts';
import type { Worktree } from '../../git/worktree.ts';
import { loadEvidence } from '../../plan/load-evidence.ts';
import { loadStory } from '../../plan/stories.ts';
import { withStoryLock } from '../../plan/story-lock.ts';
import { noteInJournal } from '../../plan/worker-notes.ts';
import { evidenceFile } from '../../project/paths.ts';
import { checkSeal } from '../../seal/check-seal.ts';
import { sealEvidence } from '../../seal/seal-evidence.ts';
import { describeProtection, digestDefinition, findSecretsOf, type Worker } from '../context.ts';
import type { FailedGate } from '../decide/next-cycle.ts';
import { publish } from '../deliver/publish.ts';
import { commitStory } from '../settle/commit-story.ts';
import { checkBranch, checkHistory, checkLeft, failed, passed, skipped } from './checks.ts';
import { findWarnings } from './find-warnings.ts';
import { listUnhidden } from './list-unhidden.ts';
import { verifyCommit } from './verify-commit.ts';

/** Runs the checks between "all tasks completed" and "ready for review" and returns their results. */
export async function runGate(
  worker: Worker,
  worktree: Worktree,
  restored: readonly string[],
  /** The version of the client; undefined if no client was needed. */
  client?: string,
): Promise<Evidence> {
  const { paths, storyId, config, emit } = worker;
  const git = openPlainGit(worktree.folder, worktree.git.env);
  await commitStory(worker, worktree);
  const { story, tasks } = loadStory(paths, storyId);
  const command = story.verify ?? config.gate.verify;
  const current = await findCurrentEvidence(worker, worktree, git, command);
  if (current) {
    // SAGA may have committed bookkeeping since, such as the address of a pull request.
    await publish(worker, worktree);
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
  const protection = await describeProtection(worker, story, git, base);
  const isClean = config.gate.clean;
  const uncommitted = isClean
    ? await listUncommitted(git)
    : await listUnhidden(worker, worktree, head);
  const changed = await listChanged(git, base, head);
  const warnings =
    command === null ? [] : await findWarnings(git, command, { base, head, changed });
  const checks: GateCheck[] = [];
  const note = (check: GateCheck) => {
    checks.push(check);
    emit('gate:check', { check });
  };
  checkBranch({
    story,
    tasks,
    uncommitted,
    changed,
    protection,
    restored,
    isRedefined: worker.definition !== undefined && worker.definition !== digestDefinition(worker),
  }).forEach(note);
  const { branch, folder } = worktree;
  const history = { branch, folder, base: nameBase(worktree), hasCommonCommit, left };
  note(checkHistory(history));
  note(checkLeft(history));
  const verified =
    command === null ? undefined : await verifyCommit(worker, worktree, { command, head });
  note(verified?.check ?? skipped('verify', UNVERIFIED));
  note(await checkPushed(worker, worktree, checks));
  const found: Evidence = {
    version: 1,
    story: storyId,
    outcome: checks.some((it) => it.outcome === 'failed') ? 'failed' : 'passed',
    base,
    head,
    tree,
    startedAt,
    endedAt: new Date().toISOString(),
    client,
    checks,
    verify: verified ? verified.run : undefined,
    warnings: warnings.length > 0 ? warnings : undefined,
    restored: [...restored],
    protectedByDefault: [...protection.byDefault],
  };
  // The signature covers the text that is written, so secrets are masked first.
  const plain = maskDeep(found, findSecretsOf(worker));
  // The evidence of an interrupted gate is of no use to a person, so it is not saved. A gate that passed was not
  // interrupted.
  const isPassed = plain.outcome === 'passed';
  if ((worker.stop.aborted && !isPassed) || checks.some((it) => it.wasStopped)) return plain;
  const evidence = await seal(worker, plain);
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
  const { remote, branch, isUnreachable, pinned } = base;
  if (remote === undefined || branch === undefined || isUnreachable) return base.commit;
  if (paths.isRehearsal) return base.commit;
  const fetched = await fetchBranch(git, remote, branch, { emit, pinned });
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
    stoppedBy,
  };
}

const UNVERIFIED = 'unverified: no command configured';

async function checkPushed(
  worker: Worker,
  worktree: Worktree,
  before: readonly GateCheck[],
): Promise<GateCheck> {
  if (worktree.base.remote === undefined) return skipped('pushed', 'there is no remote');
  const published = await publish(worker, worktree, { isAsked: true });
  if (published.pushed) {
    return passed('pushed', `${worktree.branch} is on ${worktree.base.remote}`);
  }
  const isTold = before.some((it) => it.name === 'protected-files' && it.outcome === 'failed');
  // Another check already reports the protected files.
  if (published.refused && isTold) return skipped('pushed', 'protected files are not pushed');
  return failed('pushed', published.reason);
}

/**
 * Signs the evidence. Says once for each worker if a key does not work. The evidence of a rehearsal is
 * thrown away, so no key is made for it.
 */
async function seal({ env, emit, session, paths }: Worker, plain: Evidence): Promise<Evidence> {
  if (paths.isRehearsal) return plain;
  const { evidence, unsigned, instead } = await sealEvidence(plain, env);
  if (!TOLD.has(session)) {
    if (unsigned !== undefined) emit('gate:unsigned', { reason: unsigned });
    else if (instead !== undefined) emit('gate:other-key', { reason: instead });
  }
  TOLD.add(session);
  return evidence;
}

/** Sessions that were told which key signs their evidence. */
const TOLD = new Set<string>();

async function saveEvidence(worker: Worker, worktree: Worktree, evidence: Evidence): Promise<void> {
  const { paths, storyId } = worker;
  await withStoryLock(paths, storyId, (home) => {
    writeFileAtomic(evidenceFile(home), formatJson(evidence));
  });
  const isPassed = evidence.outcome === 'passed';
  if (!isPassed) {
    const failed = evidence.checks.filter((it) => it.outcome === 'failed');
    const why = failed.map(({ name, detail }) => `${name}: ${detail}`).join('; ');
    await noteInJournal(worker, `the gate failed: ${why}`);
  }
  await commitStory(worker, worktree, isPassed ? 'passed its gate' : 'did not pass its gate');
  await publish(worker, worktree);
}

/**
 * Returns the evidence of an earlier gate if it passed and only SAGA's bookkeeping changed since, else
 * undefined.
 */
async function findCurrentEvidence(
  { paths, storyId, config, env }: Worker,
  { branch }: Worktree,
  git: Git,
  command: string | null,
): Promise<Evidence | undefined> {
  const { home, tasks } = loadStory(paths, storyId);
  const evidence = loadEvidence(paths, home);
  if (evidence?.outcome !== 'passed') return undefined;
  if ((evidence.verify?.command ?? null) !== command) return undefined;
  const isStricter = config.gate.clean && evidence.verify?.checkout !== 'clean';
  if (evidence.verify && isStricter) return undefined;
  if ((await checkSeal(evidence, env)).result === 'wrong') return undefined;
  if (tasks.some((task) => task.status !== 'completed')) return undefined;
  if (!(await isAncestor(git, evidence.head, 'HEAD'))) return undefined;
  if ((await listLeft(git, branch)).length > 0) return undefined;
  const since = await listChanged(git, evidence.head, 'HEAD');
  const isSame = since.every((path) => isInStory(path, storyId));
  return isSame && (await listUncommitted(git)).length === 0 ? evidence : undefined;
}
