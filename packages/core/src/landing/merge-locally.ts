import { listFiles } from '@saga-ai/types/words/amounts';
import { mergeFolderName, verifyMerge } from '../epic/verify-merge.ts';
import { isAncestor } from '../git/git.ts';
import { mergeTrees } from '../git/merge-trees.ts';
import { pushBranch, trackPushed } from '../git/remote/push.ts';
import { loadStory } from '../plan/stories.ts';
import { quote } from '../project/quote.ts';
import { type Landing, type NamedBase, notLanded } from './context.ts';
import { type Forwarded, forwardBase } from './forward-base.ts';
import { listOwnPlan } from './own-plan.ts';

/** How often a merge begins again because somebody moved the base meanwhile. */
const TRIES = 3;

/**
 * Who verified the merged files: the gate, because its files are the same; the verify command, which ran again; or
 * nobody.
 */
export type Verification = 'gate' | 'verify' | 'none';

export interface Merged {
  /** The commit of the base that has the work. */
  commit: string;
  verified: Verification;
}

/**
 * Merges the branch into its base on this machine. The merge is verified before the base moves, and the base moves only
 * if nobody else moved it: on the remote by a push that is never forced, or here if there is no remote.
 */
export async function mergeLocally(
  landing: Landing,
  findBase: () => Promise<NamedBase>,
): Promise<Merged> {
  const { git, branch, tip, wish, stories } = landing;
  for (let left = TRIES; left > 0; left--) {
    const base = await findBase();
    await requirePushed(landing, base);
    const message = `Merge ${branch} into ${base.branch}`;
    const merge = await mergeTrees(git, base.commit, tip, message, (files) =>
      listOwnPlan(landing, base.commit, files),
    );
    if (merge.kind === 'contained') return { commit: base.commit, verified: 'gate' };
    if (merge.kind === 'conflict') throw conflicts(landing, base, merge.files);
    const { commit } = merge;
    const verified = await verifyLanding(landing, base, { commit, isChecked: merge.isLikeSecond });
    wish.tell(`merges ${branch} into ${base.branch}`);
    if (base.remote === undefined) {
      const moved = await forwardBase(git, base.branch, commit, stories);
      if (moved.kind === 'forwarded') return { commit, verified };
      if ((await git.resolve(`refs/heads/${base.branch}`)) !== base.commit) continue;
      throw stays(landing, moved);
    }
    if (await push(landing, base, base.remote, commit)) return { commit, verified };
  }
  throw notLanded(
    landing,
    `${landing.base.branch} kept moving while it was merged`,
    `Try again: saga land ${landing.id}`,
  );
}

function stays(landing: Landing, moved: Exclude<Forwarded, { kind: 'forwarded' }>) {
  const again = `saga land ${landing.id}`;
  if (moved.kind === 'absent') {
    return notLanded(landing, `${landing.base.branch} is gone`, `Bring it back, then: ${again}`);
  }
  const { why, isDirty } = moved;
  const hint = isDirty
    ? `Commit them or put them aside (git stash), then: ${again}`
    : `Try again: ${again}`;
  return notLanded(landing, why, hint);
}

/**
 * Throws if the local base has commits that the remote lacks. The merge starts from the remote's branch, and only the
 * person pushes the person's own commits.
 */
async function requirePushed(landing: Landing, base: NamedBase): Promise<void> {
  const { git } = landing;
  const here = await git.resolve(`refs/heads/${base.branch}`);
  if (here === undefined || base.remote === undefined) return;
  if (await isAncestor(git, here, base.commit)) return;
  throw notLanded(
    landing,
    `${base.branch} has commits here that ${base.remote} lacks`,
    `Push them, or take them back: git push ${quote(base.remote)} ${quote(base.branch)}`,
  );
}

function conflicts(landing: Landing, base: NamedBase, files: readonly string[]) {
  const { id, kind, branch } = landing;
  return notLanded(
    landing,
    `${branch} and ${base.branch} change the same places: ${listFiles(files)}`,
    kind === 'story'
      ? `Have a run bring them together: saga update ${id}, then saga run ${id}`
      : `Bring them together: git switch ${branch}, git merge ${base.branch}, git switch -. Then: saga land ${id}`,
  );
}

/** Verifies the merged commit, unless its files are exactly those that the gate checked. */
export async function verifyLanding(
  landing: Landing,
  base: NamedBase,
  { commit, isChecked }: { commit: string; isChecked: boolean },
): Promise<Verification> {
  const { worker, kind, id, wish, git } = landing;
  const command = findCommand(landing);
  if (command === null) return 'none';
  if (isChecked && kind === 'story') return 'gate';
  wish.tell(`verifies the merged files: ${command}`);
  const place = { worker, git, base, folderName: mergeFolderName(kind, id) };
  const { check, run } = await verifyMerge(place, { command, commit });
  if (check.outcome === 'passed') return 'verify';
  throw notLanded(
    landing,
    `merged, it does not verify (${check.detail})\n${run.outputEnd}`.trimEnd(),
    kind === 'story'
      ? `Bring ${base.branch} in and mend it: saga update ${id}, then saga run ${id}`
      : `See what failed, and mend it on ${landing.branch}.`,
  );
}

/** Returns the verify command of a story, or the command that is run after each merge of an epic. */
function findCommand({ worker, kind, id }: Landing): string | null {
  const { config, paths } = worker;
  if (kind === 'epic') return config.epic.verify ?? config.gate.verify;
  return loadStory(paths, id).story.verify ?? config.gate.verify;
}

/** Returns false if somebody else pushed meanwhile. */
async function push(
  landing: Landing,
  base: NamedBase,
  remote: string,
  commit: string,
): Promise<boolean> {
  const { git } = landing;
  const { branch } = base;
  const pushed = await pushBranch(git, { remote, branch, commit });
  if (pushed.kind === 'done') {
    await trackPushed(git, { remote, branch }, commit);
    return true;
  }
  if (pushed.kind === 'moved') return false;
  throw notLanded(
    landing,
    pushed.words,
    `If ${branch} is protected, merge by a pull request. Nothing was changed here.`,
  );
}
