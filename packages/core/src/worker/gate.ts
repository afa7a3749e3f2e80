import { existsSync } from 'node:fs';
import { Evidence, type GateCheck } from '@saga-ai/types/evidence';
import { isAncestor, listChanged, listUncommitted } from '../programs/git.ts';
import { evidenceFile } from '../project/paths.ts';
import { checkBranch, failed, passed, skipped } from '../rules/gate.ts';
import { writeFileAtomic } from '../store/atomic-write.ts';
import { readJsonFile } from '../store/json-file.ts';
import { formatJson } from '../store/json-text.ts';
import { loadStory } from '../store/stories.ts';
import { withStoryLock } from '../store/story-lock.ts';
import type { Worktree } from './ensure-worktree.ts';
import { publish } from './publish.ts';
import { runShell } from './run-shell.ts';
import { commitStory } from './settle-run.ts';
import type { Worker } from './worker.ts';

/** The checks between "all tasks completed" and "ready for review", each with what it found. */
export async function runGate(
  worker: Worker,
  worktree: Worktree,
  restored: readonly string[],
  client: string,
): Promise<Evidence> {
  const { paths, storyId, config, emit } = worker;
  const { git } = worktree;
  await commitStory(worker, worktree);
  const current = await findCurrentEvidence(worker, worktree);
  if (current) {
    emit('gate:passed', { head: current.head, again: false });
    return current;
  }
  const startedAt = new Date().toISOString();
  emit('gate:start', {});
  const [base, head, tree] = await Promise.all([
    git.run(['merge-base', worktree.base.commit, 'HEAD']),
    git.run(['rev-parse', 'HEAD']),
    git.run(['rev-parse', 'HEAD^{tree}']),
  ]);
  const { story, tasks } = loadStory(paths, storyId);
  const checks: GateCheck[] = [];
  const note = (check: GateCheck) => {
    checks.push(check);
    emit('gate:check', { check });
  };
  checkBranch({
    story,
    tasks,
    uncommitted: await listUncommitted(git),
    changed: await listChanged(git, base, head),
    protectedFiles: config.gate.protectedFiles,
    restored,
  }).forEach(note);
  const command = story.verify ?? config.gate.verify;
  const verify = command === null ? undefined : await runShell(worker, worktree.folder, command);
  note(checkVerify(verify));
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
    client,
    checks,
    ...(verify ? { verify } : {}),
    restored: [...restored],
  };
  await saveEvidence(worker, worktree, evidence);
  emit(evidence.outcome === 'passed' ? 'gate:passed' : 'gate:failed', { head, checks });
  return evidence;
}

export function describeFailures(evidence: Evidence): string[] {
  return evidence.checks
    .filter((it) => it.outcome === 'failed')
    .map(({ name, detail }) => {
      const said = name === 'verify' && evidence.verify ? `\n${evidence.verify.outputEnd}` : '';
      return `${name}: ${detail}${said}`;
    });
}

function checkVerify(verify: Evidence['verify']): GateCheck {
  if (!verify) return skipped('verify', 'no command configured');
  const { command, exitCode } = verify;
  if (exitCode === 0) return passed('verify', `${command} ended with code 0`);
  return failed(
    'verify',
    exitCode === null ? `${command} was stopped` : `${command} ended with code ${exitCode}`,
  );
}

async function checkPushed({ emit }: Worker, worktree: Worktree): Promise<GateCheck> {
  if (worktree.base.remote === undefined) return skipped('pushed', 'there is no remote');
  const published = await publish(worktree, emit);
  return published.pushed
    ? passed('pushed', `${worktree.branch} is on ${worktree.base.remote}`)
    : failed('pushed', published.reason);
}

async function saveEvidence(worker: Worker, worktree: Worktree, evidence: Evidence): Promise<void> {
  const { paths, storyId, emit } = worker;
  await withStoryLock(paths, storyId, (home) => {
    writeFileAtomic(evidenceFile(home), formatJson(evidence));
  });
  await commitStory(worker, worktree);
  await publish(worktree, emit);
}

/** What passed and was not touched since needs no second look: only bookkeeping may have followed. */
async function findCurrentEvidence(
  { paths, storyId }: Worker,
  { git }: Worktree,
): Promise<Evidence | undefined> {
  const { home, tasks } = loadStory(paths, storyId);
  const file = evidenceFile(home);
  if (!existsSync(file)) return undefined;
  const result = readJsonFile(paths.root, file, Evidence);
  if (!('value' in result) || result.value.outcome !== 'passed') return undefined;
  const evidence = result.value;
  if (tasks.some((task) => task.status !== 'completed')) return undefined;
  if (!(await isAncestor(git, evidence.head, 'HEAD'))) return undefined;
  const since = await listChanged(git, evidence.head, 'HEAD');
  const isSame = since.every((path) => path.startsWith(`.saga/stories/${storyId}/`));
  return isSame && (await listUncommitted(git)).length === 0 ? evidence : undefined;
}
