import type { Config } from '@saga-ai/types/config';
import { epicFilePath } from '@saga-ai/types/plan/plan-paths';
import {
  formatEpicBeginning,
  formatEpicBranch,
  formatStoryBranch,
} from '@saga-ai/types/words/names';
import { loadRefs } from '../git/branches.ts';
import type { Base } from '../git/find-base.ts';
import { findTipIn } from '../git/find-tip.ts';
import { type Git, isAncestor } from '../git/git.ts';
import { readEvidenceAt } from '../git/read-evidence-at.ts';
import { openBases } from '../overview/facts/base-branches.ts';
import type { Paths } from '../project/paths.ts';
import { findMergedRange, type MergedRange } from './merged-range.ts';
import { readFieldAt } from './read-field-at.ts';

/** What a reviewer looks at: the difference between two commits. */
export interface ReviewRange {
  /** The branch that the work is merged into, or a commit if there is no branch. */
  base: string;
  /** The branch with the work, or its last commit if the work is merged. */
  head: string;
  /** The commit in which the work began. Later commits of the base are not part of the difference. */
  from: string;
  to: string;
  isMerged: boolean;
}

export interface ReviewedItem {
  paths: Paths;
  config: Config;
  kind: 'story' | 'epic';
  id: string;
}

/**
 * Finds what a reviewer of a story or an epic would see, from this repository only: nothing is fetched, and no worktree
 * is needed. Returns undefined if there is no branch, and the base has no commit of it.
 */
export async function findReviewRange(
  git: Git,
  item: ReviewedItem,
  timeoutMs?: number,
): Promise<ReviewRange | undefined> {
  const { paths, kind, id } = item;
  const refs = await loadRefs(git, timeoutMs);
  const base = openBases(paths, item.config, refs)(id);
  if (base === undefined) return undefined;
  const branch = kind === 'story' ? formatStoryBranch(id) : formatEpicBranch(id);
  const tip = findTipIn(refs, branch);
  const merged = await (kind === 'story'
    ? findMergedStory(git, id, base, timeoutMs)
    : findMergedEpic(git, id, base, tip));
  const into = base.branch ?? base.commit;
  if (merged) return { base: into, head: merged.to, ...merged, isMerged: true };
  if (tip === undefined) return undefined;
  const from = (await git.attempt(['merge-base', base.commit, tip])).stdout.trim();
  // Two histories that share nothing are compared as they are.
  return { base: into, head: branch, from: from || base.commit, to: tip, isMerged: false };
}

/** A story is merged if the base contains evidence that its gate passed. */
async function findMergedStory(
  git: Git,
  storyId: string,
  { commit }: Base,
  timeoutMs: number | undefined,
): Promise<MergedRange | undefined> {
  const evidence = await readEvidenceAt(git, commit, storyId);
  if (evidence?.outcome !== 'passed' || evidence.story !== storyId) return undefined;
  return findMergedRange(git, storyId, evidence, commit, timeoutMs);
}

/**
 * An epic is merged if the base contains its branch. A branch that is gone, or was squashed, leaves the commit
 * that brought the epic's file with its `branch` into the base.
 */
async function findMergedEpic(
  git: Git,
  epicId: string,
  { commit }: Base,
  tip: string | undefined,
): Promise<MergedRange | undefined> {
  const ask = async (args: string[]) => {
    const { code, stdout } = await git.attempt(args);
    return code === 0 ? stdout.trim() : '';
  };
  if (tip !== undefined && (await isAncestor(git, tip, commit))) {
    const subject = `^${formatEpicBeginning(epicId)}$`;
    const from = await ask(['log', '-1', `--grep=${subject}`, '--format=%P', tip]);
    return from === '' ? undefined : { from, to: tip };
  }
  const file = epicFilePath(epicId);
  if ((await readFieldAt(git, commit, file, 'branch')) === undefined) return undefined;
  const args = ['log', '-1', '--first-parent', '-G"branch"', '--format=%H %P', commit, '--', file];
  const [to = '', from = ''] = (await ask(args)).split(' ');
  return from === '' ? undefined : { from, to };
}
