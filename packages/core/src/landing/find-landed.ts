import { isInStory } from '@saga-ai/types/plan/plan-paths';
import { formatStoryBranch } from '@saga-ai/types/words/names';
import { type Git, isAncestor, listChanged } from '../git/git.ts';
import { readEvidenceAt } from '../git/read-evidence-at.ts';
import { loadEvidence } from '../plan/load-evidence.ts';
import type { Paths } from '../project/paths.ts';
import { findStoryHome } from '../project/story-home.ts';

/**
 * Whether a commit of the base has all of a story's work: its evidence that the gate passed, and everything on its
 * branch. A squash makes other commits, so the evidence says what was merged.
 */
export async function isStoryLanded(
  git: Git,
  paths: Paths,
  storyId: string,
  commit: string,
): Promise<boolean> {
  const there = await readEvidenceAt(git, commit, storyId);
  if (there?.outcome !== 'passed' || there.story !== storyId) return false;
  const tip = await git.resolve(`refs/heads/${formatStoryBranch(storyId)}`);
  if (tip === undefined || (await isAncestor(git, tip, commit))) return true;
  const home = findStoryHome(paths, storyId);
  const here = home === undefined ? undefined : loadEvidence(paths, home);
  if (here?.head !== there.head || !(await isAncestor(git, there.head, tip))) return false;
  const since = await listChanged(git, there.head, tip);
  return since.every((path) => isInStory(path, storyId));
}
