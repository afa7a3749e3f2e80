import type { Emit } from '@saga-ai/types/run/event';
import { describeMove } from '@saga-ai/types/words/describe-move';
import { LEFT } from '../../git/refs/left-refs.ts';
import type { Worktree } from '../../git/worktree.ts';
import { noteInJournal } from '../../plan/worker-notes.ts';
import type { Environment } from '../../processes/run.ts';
import type { Paths } from '../../project/paths.ts';
import type { BranchMove } from '../../sandbox/branch-after-run.ts';

/** Tells people, and by the journal the next run, that a person moved the branch. Returns it in words. */
export async function tellMove(
  worker: { paths: Paths; storyId: string; env: Environment; emit: Emit },
  { git, branch }: Worktree,
  { from, to, how, kept }: BranchMove,
): Promise<string> {
  const range = from === undefined ? [] : [`${from}..${to}`];
  const printed = range.length > 0 ? await git.run(['log', '--format=%h %s', ...range]) : '';
  const commits = printed.split('\n').filter(Boolean);
  worker.emit('branch:moved', { branch, to, commits, how });
  if (kept) worker.emit('work:kept', { ref: kept.ref, what: LEFT.apart, files: kept.files });
  const words = describeMove(branch, to, commits, how);
  await noteInJournal(worker, words);
  return words;
}
