import { copyFileSync, existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { isInPlan } from '@saga-ai/types/plan/plan-paths';
import { addAll } from '../git/commit.ts';
import { type Git, gitFailed, isAncestor, listChanged } from '../git/git.ts';
import { mergeTrees } from '../git/merge-trees.ts';
import { formatLeftRef } from '../git/refs/left-refs.ts';
import type { Worktree } from '../git/worktree.ts';

/** The commits of a story's branch. */
interface BranchTips {
  /** When the quarantine was made. Undefined if that is not known. */
  noted: string | undefined;
  /** In the repository now. */
  here: string | undefined;
  /** In the quarantine. Undefined if the run removed the branch. */
  run: string | undefined;
}

/** Says that a person moved the branch while a run worked. */
export interface BranchMove {
  from: string | undefined;
  /** The commit that the person left the branch at. */
  to: string;
  /** `alone`: the run committed nothing. `merged`: its commits are on top. `apart`: they are kept beside the branch. */
  how: 'alone' | 'merged' | 'apart';
  kept?: { ref: string; files: string[] };
}

/** Told before the branch moves on. */
export type OnMoved = (move: BranchMove) => unknown;

type Fate =
  /** The branch stays where it is, because it has everything of the run. */
  | 'stays'
  /** The branch moves to the commit of the run. */
  | 'follows'
  /** The branch and the run have commits that the other one lacks. */
  | 'joins'
  /** A person took commits away from the branch that the run builds on. */
  | 'apart';

/**
 * Decides what becomes of the branch. It never leaves a commit of a person. `isMoved` is true if a person moved it;
 * false too if the run was taken over before, because then the branch has the commits of both.
 */
async function decideFate(
  { noted, here, run }: BranchTips,
  contains: (whole: string, part: string) => Promise<boolean>,
): Promise<{ fate: Fate; isMoved: boolean }> {
  if (run === undefined || run === noted) return { fate: 'stays', isMoved: here !== noted };
  if (here === run) return { fate: 'stays', isMoved: false };
  if (here === undefined || here === noted) return { fate: 'follows', isMoved: false };
  if (await contains(here, run)) return { fate: 'stays', isMoved: false };
  if (noted !== undefined && !(await contains(here, noted)))
    return { fate: 'apart', isMoved: true };
  return { fate: (await contains(run, here)) ? 'follows' : 'joins', isMoved: true };
}

interface Settling {
  worktree: Pick<Worktree, 'branch' | 'folder' | 'gitFolder'>;
  runId: string;
  tips: BranchTips;
  /** Further lines for `git update-ref --stdin`, carried out in the same step. */
  lines: readonly string[];
  /** Called before the branch moves. */
  onMoved: OnMoved;
}

/** A person commits at most a few times in the moment between the look and the act. */
const TRIES = 10;

/** Moves the branch after a run, and only from the commit that was looked at. Returns its commit. */
export async function settleBranch(git: Git, settling: Settling): Promise<string | undefined> {
  const ref = `refs/heads/${settling.worktree.branch}`;
  let { here } = settling.tips;
  for (let tries = 1; ; tries++) {
    const { tip, kept } = await findTip(git, settling, here);
    const lines = [
      ...(tip === here ? [] : [`update ${ref} ${tip} ${here ?? '0'.repeat(tip?.length ?? 40)}`]),
      ...(kept === undefined ? [] : [`update ${kept.ref} ${kept.commit}`]),
      ...settling.lines,
    ];
    if (lines.length === 0) return tip;
    // One command for all: each one waits for the disk, and all refs move or none.
    const args = ['update-ref', '-m', 'saga: run', '--stdin'];
    const input = lines.map((it) => `${it}\n`).join('');
    const moved = await git.attempt(args, { input });
    if (moved.code === 0) return tip;
    const now = await git.resolve(ref);
    if (now === here || tries === TRIES) throw gitFailed(git.folder, args, moved);
    here = now;
  }
}

interface Found {
  tip: string | undefined;
  kept?: { ref: string; commit: string };
}

async function findTip(
  git: Git,
  { worktree: { branch }, runId, tips, onMoved }: Settling,
  here: string | undefined,
): Promise<Found> {
  const { noted, run } = tips;
  const { fate, isMoved } = await decideFate({ noted, here, run }, (whole, part) =>
    isAncestor(git, part, whole),
  );
  const tell = async (how: BranchMove['how'], kept?: BranchMove['kept']) => {
    if (isMoved && here !== undefined) await onMoved({ from: noted, to: here, how, kept });
  };
  if (fate === 'stays' || run === undefined || here === undefined) {
    await tell('alone');
    return { tip: fate === 'stays' ? here : run };
  }
  if (fate === 'follows') {
    await tell('merged');
    return { tip: run };
  }
  const merge =
    fate === 'joins'
      ? await mergeTrees(git, here, run, `saga: bring a run and ${branch} together`, isOfPlan)
      : undefined;
  if (merge?.kind === 'merged') {
    await tell('merged');
    return { tip: merge.commit };
  }
  const ref = formatLeftRef(branch, runId, 'apart');
  await tell('apart', { ref, files: await listChanged(git, noted ?? here, run) });
  return { tip: here, kept: { ref, commit: run } };
}

/** Of the plan the worktree has the newest files, and they are committed afterwards. */
const isOfPlan = async (conflicts: readonly string[]) => conflicts.filter(isInPlan);

/**
 * Brings the files of a worktree to the commit that its branch was moved to, because a run that tidied up has removed
 * what a person committed. A file changes only if one of the `seen` commits has it as it is; else it is work that
 * nobody committed.
 */
export async function refreshFiles(
  git: Git,
  { gitFolder }: Pick<Worktree, 'gitFolder'>,
  tip: string,
  seen: readonly string[],
): Promise<void> {
  const index = join(gitFolder, `saga-index-${process.pid}`);
  const next = `${index}-next`;
  try {
    if (existsSync(join(gitFolder, 'index'))) copyFileSync(join(gitFolder, 'index'), index);
    await addAll(git, { index });
    const files = await git.run(['write-tree'], { index });
    const known = await Promise.all(seen.map((it) => listChanged(git, files, it)));
    const changed = known.map((it) => new Set(it));
    const isSeen = (path: string) => changed.some((it) => !it.has(path));
    const stale = (await listRecords(git, files, tip)).filter(
      ({ path, mode }) => mode !== NESTED && !isInPlan(path) && isSeen(path),
    );
    if (stale.length === 0) return;
    await git.run(['read-tree', files], { index: next });
    const input = stale.map(({ mode, id, path }) => `${mode} ${id}\t${path}\0`).join('');
    // These two refuse if uncommitted work is in the way. Then the files stay, and git shows them as changes of the
    // branch, which has the commits.
    const put = ['update-index', '--add', '-z', '--index-info'];
    if ((await git.attempt(put, { index: next, input })).code !== 0) return;
    const wanted = await git.run(['write-tree'], { index: next });
    await git.attempt(['read-tree', '-m', '-u', files, wanted], { index });
    await git.attempt(['update-index', '-q', '--refresh']);
  } finally {
    rmSync(index, { force: true });
    rmSync(next, { force: true });
  }
}

/** The mode of a repository inside the checkout. */
const NESTED = '160000';

/** The files that differ between two trees, as the second has them. A file that it lacks has the mode 0. */
async function listRecords(git: Git, from: string, to: string) {
  const fields = await git.paths(['diff-tree', '-r', '-z', '--no-renames', from, to]);
  return fields.flatMap((field, i) => {
    const [, mode = '', , id = ''] = field.split(' ');
    const path = fields[i + 1];
    return i % 2 === 0 && path !== undefined ? [{ mode, id, path }] : [];
  });
}
