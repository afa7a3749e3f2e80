import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { EVIDENCE_FILE, isInStory, STORY_FILE, storyPath } from '@saga-ai/types/plan/plan-paths';
import { Task } from '@saga-ai/types/plan/task';
import { Evidence, GATE_CHECKS, type GateCheck } from '@saga-ai/types/run/evidence';
import { listFiles } from '@saga-ai/types/words/amounts';
import { formatStoryBranch } from '@saga-ai/types/words/names';
import { SagaError } from '../../errors.ts';
import { loadJsonFile } from '../../files/json-file.ts';
import { findTip } from '../../git/find-tip.ts';
import { type Git, isAncestor, listChanged, openGit } from '../../git/git.ts';
import { openPlainGit } from '../../git/plain-git.ts';
import { readEvidenceAt } from '../../git/read-evidence-at.ts';
import { listUncommitted } from '../../git/uncommitted.ts';
import { findUsableWorktree } from '../../git/worktree.ts';
import { loadStory } from '../../plan/stories.ts';
import type { Environment } from '../../processes/run.ts';
import { evidenceFile, type Paths } from '../../project/paths.ts';
import { findStoryWorktree } from '../../project/story-worktrees.ts';
import { checkSeal } from '../../seal/check-seal.ts';
import { readPlanAt } from '../settle/read-plan-at.ts';
import { checkBranch } from './checks.ts';

export interface EvidenceFinding {
  what: string;
  holds: boolean;
  /** The check was not made, because nothing is configured for it. */
  skipped?: true;
  detail: string;
}

export interface VerifiedEvidence {
  evidence: Evidence;
  findings: EvidenceFinding[];
  holds: boolean;
}

/**
 * Checks a story's evidence again, using only the repository: whether its commits exist, whether the
 * checks that git can decide give the same result, and whether anything changed since.
 */
export async function verifyEvidence(
  paths: Paths,
  storyId: string,
  protectedFiles: readonly string[],
  env: Environment,
): Promise<VerifiedEvidence> {
  const git = openGit(paths.root, env);
  const { evidence, reopened } = await loadChecked(paths, storyId, git);
  const findings: EvidenceFinding[] = [];
  const note: Note = (what, holds, detail, { isSkipped = false } = {}) => {
    findings.push({ what, holds, skipped: isSkipped ? true : undefined, detail });
    return holds;
  };
  note('outcome', evidence.outcome === 'passed', `the gate ${evidence.outcome}`);
  const { result, detail } = await checkSeal(evidence, env);
  note('signature', result !== 'wrong', detail, {
    isSkipped: !['known', 'wrong'].includes(result),
  });
  note('story', evidence.story === storyId, `the evidence is for story ${evidence.story}`);
  if (await noteCommits(git, evidence, note)) {
    await noteChecks(git, evidence, storyId, protectedFiles, note);
    await noteSince(git, evidence, storyId, note);
    await noteWorktree(paths, storyId, env, note);
  }
  if (reopened.length > 0) note('since', false, `open again: ${reopened.join(', ')}`);
  return { evidence, findings, holds: findings.every((it) => it.holds) };
}

interface Checked {
  evidence: Evidence;
  /** The tasks that are not completed any more. */
  reopened: string[];
}

/** Loads the evidence and the tasks from the live copy of the story, else from its branch. */
async function loadChecked(paths: Paths, storyId: string, git: Git): Promise<Checked> {
  const { home, tasks } = loadStory(paths, storyId);
  const file = evidenceFile(home);
  if (existsSync(file)) {
    const evidence = loadJsonFile(paths.root, file, Evidence).value;
    return { evidence, reopened: listOpen(tasks) };
  }
  const isHere = findStoryWorktree(paths, storyId)?.isOwn ?? false;
  const tip = isHere ? undefined : await findTip(git, formatStoryBranch(storyId));
  const evidence = tip === undefined ? undefined : await readEvidenceAt(git, tip, storyId);
  if (tip !== undefined && evidence) {
    const texts = await readPlanAt(git, tip, storyId);
    const read = [...texts].flatMap(([name, text]) => (name === STORY_FILE ? [] : parseTask(text)));
    return { evidence, reopened: listOpen(read) };
  }
  throw new SagaError(
    'no-evidence',
    `Story ${storyId} has no evidence yet: its gate was never run.`,
    `Run it: saga run ${storyId}`,
  );
}

const listOpen = (tasks: readonly Task[]): string[] =>
  tasks.filter((it) => it.status !== 'completed').map((it) => it.id);

/** Returns [] for a task that cannot be read. The checks of the gate report it. */
function parseTask(text: string): Task[] {
  try {
    return [Task.parse(JSON.parse(text))];
  } catch {
    // Not JSON, or not a task.
    return [];
  }
}

type Note = (
  what: string,
  holds: boolean,
  detail: string,
  options?: { isSkipped?: boolean },
) => boolean;

async function noteCommits(git: Git, { base, head, tree }: Evidence, note: Note): Promise<boolean> {
  const range = `${base.slice(0, 12)}..${head.slice(0, 12)}`;
  const [foundBase, foundHead, foundTree] = await Promise.all([
    git.resolve(base),
    git.resolve(head),
    git.attempt(['rev-parse', '--verify', '-q', `${head}^{tree}`]),
  ]);
  if (!foundBase || !foundHead) return note('commits', false, `${range} is not in this repository`);
  if (!(await isAncestor(git, base, head)))
    return note('commits', false, `${range}: the first commit is not an ancestor of the second`);
  const isSame = foundTree.stdout.trim() === tree;
  return note(
    'commits',
    isSame,
    isSame ? range : `${range} contains other files than the evidence says`,
  );
}

/** Repeats the checks that git can decide. The results of the others are taken from the evidence. */
async function noteChecks(
  git: Git,
  evidence: Evidence,
  storyId: string,
  protectedFiles: readonly string[],
  note: Note,
): Promise<void> {
  const folder = storyPath(storyId);
  const names = await git.paths(['ls-tree', '--name-only', '-z', evidence.head, `${folder}/`]);
  if (!names.includes(`${folder}/${STORY_FILE}`)) {
    note('tasks', false, `the story is not in commit ${evidence.head.slice(0, 12)}`);
    return;
  }
  const read = async (path: string): Promise<unknown> =>
    JSON.parse(await git.run(['show', `${evidence.head}:${path}`]));
  const taskFiles = names.filter(
    (it) =>
      it.endsWith('.json') && ![STORY_FILE, EVIDENCE_FILE].includes(it.slice(folder.length + 1)),
  );
  const tasks = await Promise.all(taskFiles.map(async (path) => Task.parse(await read(path))));
  const { writeFiles } = (await read(`${folder}/${STORY_FILE}`)) as { writeFiles?: string[] };
  const again = checkBranch({
    story: { id: storyId, writeFiles },
    tasks,
    uncommitted: [],
    changed: await listChanged(git, evidence.base, evidence.head),
    protection: { byDefault: evidence.protectedByDefault ?? [], configured: protectedFiles },
    restored: evidence.restored,
  });
  for (const name of GATE_CHECKS) {
    const check = evidence.checks.find((it) => it.name === name);
    if (!check) note(name, false, 'the evidence has no result for this check');
    else noteCheck(check, evidence, again, note);
  }
}

/** Compares one check of the evidence with git's answer now, or with the recorded run of `verify`. */
function noteCheck(
  check: GateCheck,
  { verify }: Evidence,
  again: readonly GateCheck[],
  note: Note,
): void {
  const now = again.find((it) => it.name === check.name && it.name !== 'committed');
  if (check.outcome === 'failed') note(check.name, false, check.detail);
  else if (now?.outcome === 'failed') {
    note(check.name, false, `the evidence says ${check.outcome}, but ${now.detail}`);
  } else if (check.name === 'verify' && (verify?.exitCode === 0) !== (check.outcome === 'passed')) {
    note(check.name, false, `the evidence says ${check.outcome}, but ${describeRun(verify)}`);
  } else {
    const isSkipped = (now ?? check).outcome === 'skipped';
    note(check.name, true, now?.detail ?? check.detail, { isSkipped });
  }
}

function describeRun(verify: Evidence['verify']): string {
  if (!verify) return 'no command was run';
  if (verify.stoppedBy === 'timeout') return `${verify.command} took too long and was stopped`;
  return `${verify.command} ${verify.exitCode === null ? 'was stopped' : `ended with code ${verify.exitCode}`}`;
}

/**
 * A missing branch is fine: it was merged or given up, and the evidence is about the commit, which
 * exists.
 */
async function noteSince(git: Git, evidence: Evidence, storyId: string, note: Note): Promise<void> {
  const { head } = evidence;
  const branch = formatStoryBranch(storyId);
  const tip = await findTip(git, branch);
  if (tip === undefined) {
    note('since', true, `the branch ${branch} no longer exists`);
    return;
  }
  if (!(await isAncestor(git, head, tip))) {
    note('since', false, `${branch} does not contain the commit that was checked`);
    return;
  }
  const foreign = (await listChanged(git, head, tip)).filter((it) => !isInStory(it, storyId));
  const file = `${storyPath(storyId)}/${EVIDENCE_FILE}`;
  const writes = (await git.run(['rev-list', `${head}..${tip}`, '--', file])).split('\n');
  if (foreign.length > 0) note('since', false, `changed since: ${listFiles(foreign)}`);
  else if (writes.length > 1)
    note('since', false, `${file} was edited in ${writes[0]?.slice(0, 12)}`);
  else note('since', true, `no changes since the gate ${evidence.outcome}`);
}

/**
 * Fails for uncommitted changes: they were not checked, and uncommitted evidence may not come from a
 * gate.
 */
async function noteWorktree(
  paths: Paths,
  storyId: string,
  env: Environment,
  note: Note,
): Promise<void> {
  const folder = findUsableWorktree(paths, storyId)?.folder;
  if (folder === undefined || !existsSync(join(folder, '.git'))) return;
  const isText = (it: string) => isInStory(it, storyId) && it.endsWith('.md');
  const changed = (await listUncommitted(openPlainGit(folder, env))).filter((it) => !isText(it));
  if (changed.length > 0) note('since', false, `not committed: ${listFiles(changed)}`);
}
