import { listFiles } from '@saga-ai/types/words/amounts';
import { fetchBranch } from '../../git/find-base.ts';
import { listChanged } from '../../git/git.ts';
import { openPlainGit } from '../../git/plain-git.ts';
import type { Worktree } from '../../git/worktree.ts';
import { loadStory } from '../../plan/stories.ts';
import { quote } from '../../project/quote.ts';
import { findProtected } from '../../scope/protected-files.ts';
import { describeProtection, type Worker } from '../context.ts';

/**
 * Lists the protected files that a branch changes. A run may have merged a newer base that changed them;
 * then the remote is asked for that base.
 */
export async function findProtectedChanges(
  worker: Worker,
  worktree: Worktree,
  tip: string,
): Promise<string[]> {
  const { base } = worktree;
  const { story } = loadStory(worker.paths, worker.storyId);
  const git = openPlainGit(worktree.folder, worktree.git.env);
  const findSince = async (start: string) => {
    const common = await git.attempt(['merge-base', start, tip]);
    const from = common.code === 0 ? common.stdout.trim() : start;
    const protection = await describeProtection(worker, story, git, from);
    return findProtected(await listChanged(git, from, tip), protection);
  };
  const touched = await findSince(base.commit);
  const { remote, branch, pinned } = base;
  if (touched.length === 0 || remote === undefined || branch === undefined) return touched;
  if (worker.paths.isRehearsal) return touched;
  const fetched = await fetchBranch(worktree.git, remote, branch, { emit: worker.emit, pinned });
  const newer = fetched === 'fetched' && (await git.resolve(`refs/remotes/${remote}/${branch}`));
  return newer ? findSince(newer) : touched;
}

export function describeProtectedChange(
  { storyId }: Worker,
  { branch, base, folder }: Worktree,
  files: readonly string[],
): string {
  const undo = `git -C ${quote(folder)} checkout ${base.commit.slice(0, 12)} -- ${quote(files[0] ?? '')}`;
  return `${branch} changes protected files, so it is not pushed: ${listFiles(files)}. To undo a change: ${undo} (git rm if the file is new), then commit. To allow it, name the file in writeFiles: saga edit ${storyId}`;
}
