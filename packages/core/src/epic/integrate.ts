import { listFiles } from '@saga-ai/types/words/amounts';
import { formatEpicBranch, formatStoryBranch } from '@saga-ai/types/words/names';
import { moveBranch } from '../git/branches.ts';
import { findTip } from '../git/find-tip.ts';
import type { Git } from '../git/git.ts';
import { mergeTrees } from '../git/merge-trees.ts';
import { readEvidenceAt } from '../git/read-evidence-at.ts';
import { loadEvidence } from '../plan/load-evidence.ts';
import { loadStory } from '../plan/stories.ts';
import { findStoryHome } from '../project/story-home.ts';
import { updateStory } from '../update/update-story.ts';
import type { EpicRun } from './context.ts';
import { ensureEpicBranch, pushEpicBranch } from './epic-branch.ts';
import type { EpicItem } from './layout.ts';
import { type MergeRefusal, openJournal, tellRefusal } from './tell-refusal.ts';
import { mergeFolderName, verifyMerge } from './verify-merge.ts';

/** How often a merge begins again because somebody moved the branch meanwhile. */
const TRIES = 3;

export type Integration =
  | { kind: 'merged' }
  | { kind: 'told' }
  | { kind: 'failed'; reason: string };

/**
 * Merges a story that passed its gate, or a whole inner epic, into the branch of its epic. The branch moves only
 * to a commit that was verified, and only from where it was before.
 */
export async function integrate(run: EpicRun, item: EpicItem): Promise<Integration> {
  const { worker, git, base } = run;
  const { emit } = worker;
  const into = formatEpicBranch(item.epic);
  const from = item.kind === 'story' ? formatStoryBranch(item.id) : formatEpicBranch(item.id);
  emit('epic:merge', { story: item.id, into });
  for (let left = TRIES; left > 0; left--) {
    const { fence, paths } = worker;
    const place = { git, paths, from: base.commit, base, emit, fence };
    const head = await ensureEpicBranch(item.epic, place);
    const tip = await findMergedTip(run, from);
    if (tip === undefined) return refuse(run, item, into, 'refused', `${from} does not exist`);
    if (item.kind === 'story' && !(await isProven(git, tip, item.id))) {
      const detail = `${from} holds no evidence that its gate passed`;
      return refuse(run, item, into, 'refused', detail);
    }
    const message = `Merge ${from} into ${into}`;
    const merge = await mergeTrees(git, head, tip, message);
    if (merge.kind === 'conflict') {
      const detail = `${from} and ${into} change the same places: ${listFiles(merge.files)}`;
      return handBack(run, item, { why: 'conflict', into, detail, files: merge.files, head, tip });
    }
    const commit = merge.kind === 'merged' ? merge.commit : head;
    const isChecked = merge.kind === 'contained' || merge.isLikeSecond;
    const verified = await check(run, item, { commit, isChecked });
    if (typeof verified === 'object') return handBack(run, item, { ...verified, into, head, tip });
    if (merge.kind === 'merged' && !(await moveBranch(git, into, commit, head))) continue;
    if (!(await pushEpicBranch(item.epic, place)) && fence) {
      // Other machines start the next stories from the remote's branch, so a merge that is not pushed is undone.
      await moveBranch(git, into, head, commit);
      return refuse(run, item, into, 'refused', `${into} could not be pushed`);
    }
    emit('epic:merged', { story: item.id, into, commit, verified });
    return { kind: 'merged' };
  }
  return refuse(run, item, into, 'moved', `${into} kept moving while it was merged`);
}

/** Whether the commit itself says that the gate passed. Only then does its merge make the story done. */
async function isProven(git: Git, tip: string, storyId: string): Promise<boolean> {
  const evidence = await readEvidenceAt(git, tip, storyId);
  return evidence?.outcome === 'passed' && evidence.story === storyId;
}

/**
 * Returns the newest commit of the branch. In a fleet the remote's branch counts, because the branch here may be older
 * than the work of another machine.
 */
async function findMergedTip(
  { git, base, worker }: EpicRun,
  branch: string,
): Promise<string | undefined> {
  const there = worker.fence && (await git.resolve(`refs/remotes/${base.remote}/${branch}`));
  if (there !== undefined) return there;
  return findTip(git, branch, base);
}

/** Verifies the merged commit, unless its files are exactly those that the gate of the story checked. */
async function check(
  run: EpicRun,
  item: EpicItem,
  { commit, isChecked }: { commit: string; isChecked: boolean },
): Promise<'gate' | 'verify' | 'none' | Pick<MergeRefusal, 'why' | 'detail' | 'files'>> {
  const { config, paths } = run.worker;
  const own = config.epic.verify;
  if (isChecked && own === null && item.kind === 'story') {
    const home = findStoryHome(paths, item.id);
    const evidence = home === undefined ? undefined : loadEvidence(paths, home);
    return evidence?.verify ? 'gate' : 'none';
  }
  const ofStory = item.kind === 'story' ? loadStory(paths, item.id).story.verify : undefined;
  const command = own ?? ofStory ?? config.gate.verify;
  if (command === null) return 'none';
  const place = { ...run, folderName: mergeFolderName('epic', run.epicId) };
  const { check: verify, run: ran } = await verifyMerge(place, { command, commit });
  if (verify.outcome === 'passed') return 'verify';
  const detail = `Merged, it does not verify: ${verify.detail}\n\n${ran.outputEnd}`.trimEnd();
  return { why: 'verify', detail, files: verify.files ?? [] };
}

/** Gives the story back to a run, or to a person if a run has already failed to mend it. */
async function handBack(run: EpicRun, item: EpicItem, refusal: MergeRefusal): Promise<Integration> {
  const { into, why, detail, files } = refusal;
  const [first = ''] = detail.split('\n');
  if (item.kind === 'epic') return refuse(run, item, into, why, first);
  const isTold = await tellRefusal(openJournal(run, item.id), refusal);
  run.worker.emit('epic:not-merged', {
    story: item.id,
    into,
    why,
    detail: first,
    files: files.length > 0 ? [...files] : undefined,
    isTold,
  });
  // In a fleet, the machine that works on the story next merges the branch itself.
  if (isTold && !run.worker.fence) await bringIn(run, item, into);
  return isTold ? { kind: 'told' } : { kind: 'failed', reason: first };
}

/** Merges the epic's branch into the story's worktree, if there is no conflict. */
async function bringIn({ worker }: EpicRun, { id }: EpicItem, into: string): Promise<void> {
  const { emit: _, agent: __, lifeline: ___, network: ____, ...order } = worker;
  try {
    await updateStory({
      ...order,
      storyId: id,
      base: { name: into },
      parts: { plan: false, base: true },
      listen: () => {},
    });
  } catch {
    // The run is told how to merge it itself.
  }
}

function refuse(
  { worker }: EpicRun,
  { id }: EpicItem,
  into: string,
  why: 'conflict' | 'verify' | 'moved' | 'refused',
  detail: string,
): Integration {
  worker.emit('epic:not-merged', { story: id, into, why, detail, isTold: false });
  return { kind: 'failed', reason: detail };
}
