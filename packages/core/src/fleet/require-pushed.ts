import { readFileSync } from 'node:fs';
import { epicFilePath, STORY_FILE } from '@saga-ai/types/plan/plan-paths';
import { formatStoryBranch } from '@saga-ai/types/words/names';
import { SagaError } from '../errors.ts';
import type { Base } from '../git/find-base.ts';
import { type Git, isAncestor } from '../git/git.ts';
import { digestPlan, readPlanTexts, toDefinition } from '../plan/plan-digest.ts';
import { epicFile, mainStoryFolder, type Paths } from '../project/paths.ts';
import { readPlanAt } from '../worker/settle/read-plan-at.ts';

interface Place {
  paths: Paths;
  git: Git;
  /** The base, as just fetched. */
  base: Base & { remote: string };
  /** The default branch of the remote: machines of the fleet take plans from there. */
  shared: Base & { remote: string };
}

/**
 * Throws unless the machines of a fleet would see the same plan as this one: each story as it is here, on its
 * branch or on the default branch, and each epic on the default branch.
 */
export async function requirePushed(
  place: Place,
  { stories, epics }: { stories: readonly string[]; epics: readonly string[] },
): Promise<void> {
  const missing: string[] = [];
  for (const id of stories) if (!(await isStoryThere(place, id))) missing.push(id);
  for (const id of epics) if (!(await isEpicThere(place, id))) missing.push(id);
  if (missing.length > 0) throw notPushed(place, missing);
  for (const id of stories) await requireNoOwnWork(place, id);
}

async function isStoryThere({ paths, git, shared }: Place, id: string): Promise<boolean> {
  const here = digestPlan(readPlanTexts(mainStoryFolder(paths, id)));
  const branch = `refs/remotes/${shared.remote}/${formatStoryBranch(id)}`;
  for (const commit of [await git.resolve(branch), shared.commit]) {
    if (commit === undefined) continue;
    const texts = await readPlanAt(git, commit, id);
    if (texts.size > 0 && digestPlan(texts) === here) return true;
  }
  return false;
}

async function isEpicThere({ paths, git, shared }: Place, id: string): Promise<boolean> {
  const found = await git.attempt(['cat-file', 'blob', `${shared.commit}:${epicFilePath(id)}`]);
  if (found.code !== 0) return false;
  const define = (text: string) => JSON.stringify(toDefinition(STORY_FILE, JSON.parse(text)));
  try {
    return define(found.stdout) === define(readFileSync(epicFile(paths, id), 'utf8'));
  } catch {
    // One of the two texts is not JSON.
    return false;
  }
}

/** Throws if the branch of the story has commits that the remote lacks: other machines would start without them. */
async function requireNoOwnWork({ git, base }: Place, id: string): Promise<void> {
  const branch = formatStoryBranch(id);
  const [here, there] = await Promise.all([
    git.resolve(`refs/heads/${branch}`),
    git.resolve(`refs/remotes/${base.remote}/${branch}`),
  ]);
  if (here === undefined || here === base.commit) return;
  if (there !== undefined && (await isAncestor(git, here, there))) return;
  throw new SagaError(
    'not-pushed',
    `${branch} has commits here that ${base.remote} lacks, so other machines would begin without them.`,
    `Push them: git push ${base.remote} ${branch}. Or go on here: saga run ${id}`,
  );
}

function notPushed({ base, shared }: Place, missing: readonly string[]): SagaError {
  const place = `${shared.remote}/${shared.branch ?? shared.commit}`;
  return new SagaError(
    'not-pushed',
    `The plan of ${missing.join(', ')} is not on ${place} as it is here, and other machines take it from there.`,
    base.branch === shared.branch
      ? 'Push the plan first: git add .saga, git commit, git push'
      : `Push the plan first, to the default branch ${shared.branch}. Stories are still based on ${base.branch} (worktree.baseBranch).`,
  );
}
