import { existsSync } from 'node:fs';
import { Evidence, type GateCheck } from '@saga-ai/types/evidence';
import { formatStoryBranch } from '@saga-ai/types/names';
import { Task } from '@saga-ai/types/task';
import { SagaError } from '../errors.ts';
import { type Git, isAncestor, listChanged, openGit } from '../programs/git.ts';
import type { Environment } from '../programs/run.ts';
import { EVIDENCE_FILE, evidenceFile, type Paths, STORY_FILE } from '../project/paths.ts';
import { checkBranch, listFiles } from '../rules/gate.ts';
import { loadJsonFile } from '../store/json-file.ts';
import { loadStory } from '../store/stories.ts';

export interface EvidenceFinding {
  what: string;
  holds: boolean;
  detail: string;
}

export interface VerifiedEvidence {
  evidence: Evidence;
  findings: EvidenceFinding[];
  holds: boolean;
}

/**
 * Looks at a story's evidence again with nothing but the repository: whether the commits are there,
 * whether what the gate said about them is so, and whether anything was changed since.
 */
export async function verifyEvidence(
  paths: Paths,
  storyId: string,
  protectedFiles: readonly string[],
  env: Environment,
): Promise<VerifiedEvidence> {
  const { home } = loadStory(paths, storyId);
  const file = evidenceFile(home);
  if (!existsSync(file)) {
    throw new SagaError(
      'no-evidence',
      `Story ${storyId} has no evidence yet: its gate was never run.`,
      `Run it: saga run ${storyId}`,
    );
  }
  const evidence = loadJsonFile(paths.root, file, Evidence).value;
  const git = openGit(paths.root, env);
  const findings: EvidenceFinding[] = [];
  const note = (what: string, holds: boolean, detail: string) => {
    findings.push({ what, holds, detail });
    return holds;
  };
  note('outcome', evidence.outcome === 'passed', `the gate ${evidence.outcome}`);
  note('story', evidence.story === storyId, `made for ${evidence.story}`);
  if (await noteCommits(git, evidence, note)) {
    await noteChecks(git, evidence, storyId, protectedFiles, note);
    await noteSince(git, evidence, storyId, note);
  }
  return { evidence, findings, holds: findings.every((it) => it.holds) };
}

type Note = (what: string, holds: boolean, detail: string) => boolean;

async function noteCommits(git: Git, { base, head, tree }: Evidence, note: Note): Promise<boolean> {
  const range = `${base.slice(0, 12)}..${head.slice(0, 12)}`;
  const [foundBase, foundHead, foundTree] = await Promise.all([
    git.resolve(base),
    git.resolve(head),
    git.attempt(['rev-parse', '--verify', '-q', `${head}^{tree}`]),
  ]);
  if (!foundBase || !foundHead) return note('commits', false, `${range} is not in this repository`);
  if (!(await isAncestor(git, base, head))) return note('commits', false, `${range} is no range`);
  const isSame = foundTree.stdout.trim() === tree;
  return note('commits', isSame, isSame ? range : `${range} does not have the files it had`);
}

/** What can be decided from git alone is decided again; the rest is what the evidence says. */
async function noteChecks(
  git: Git,
  evidence: Evidence,
  storyId: string,
  protectedFiles: readonly string[],
  note: Note,
): Promise<void> {
  const folder = `.saga/stories/${storyId}`;
  const names = await git.paths(['ls-tree', '--name-only', '-z', evidence.head, `${folder}/`]);
  const read = async (path: string): Promise<unknown> =>
    JSON.parse(await git.run(['show', `${evidence.head}:${path}`]));
  const taskFiles = names.filter(
    (it) =>
      it.endsWith('.json') && ![STORY_FILE, EVIDENCE_FILE].includes(it.slice(folder.length + 1)),
  );
  const tasks = await Promise.all(taskFiles.map(async (path) => Task.parse(await read(path))));
  const { writeFiles } = (await read(`${folder}/${STORY_FILE}`)) as { writeFiles?: string[] };
  const again = checkBranch({
    story: { id: storyId, ...(writeFiles ? { writeFiles } : {}) },
    tasks,
    uncommitted: [],
    changed: await listChanged(git, evidence.base, evidence.head),
    protectedFiles,
    restored: evidence.restored,
  });
  for (const check of evidence.checks) noteCheck(check, again, note);
}

function noteCheck(check: GateCheck, again: readonly GateCheck[], note: Note): void {
  const now = again.find((it) => it.name === check.name);
  const isDecided = now !== undefined && check.name !== 'committed';
  const outcome = isDecided ? now.outcome : check.outcome;
  const detail = isDecided ? now.detail : check.detail;
  note(check.name, outcome !== 'failed', detail);
}

async function noteSince(git: Git, { head }: Evidence, storyId: string, note: Note): Promise<void> {
  const branch = formatStoryBranch(storyId);
  const tip = (await git.resolve(`refs/heads/${branch}`)) ?? (await git.resolve('HEAD'));
  if (tip === undefined) return;
  if (!(await isAncestor(git, head, tip))) {
    note('since', false, `${branch} does not contain the commit that was checked`);
    return;
  }
  const changed = await listChanged(git, head, tip);
  const foreign = changed.filter((path) => !path.startsWith(`.saga/stories/${storyId}/`));
  note(
    'since',
    foreign.length === 0,
    foreign.length === 0 ? 'nothing was changed since' : `changed since: ${listFiles(foreign)}`,
  );
}
