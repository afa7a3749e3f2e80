import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describeFailure } from '../processes/describe-failure.ts';
import { type Git, STAY_OUT } from './git.ts';
import { keepOut } from './plain-git.ts';
import type { Worktree } from './worktree.ts';

export type Merge =
  | { kind: 'merged' }
  /** These files were changed on both sides. Nothing was merged. */
  | { kind: 'conflict'; files: string[] }
  /** git did not begin. Nothing was merged. */
  | { kind: 'refused'; reason: string };

/**
 * The name of a file that is in git's folder of the worktree while SAGA merges. It shows that an interrupted merge was
 * SAGA's own.
 */
const NOTE = 'saga-merge';

/**
 * Merges a commit into the branch of a worktree, or leaves everything as it was. `settle` may resolve
 * conflicts and change the index before the commit.
 */
export async function mergeCommit(
  { gitFolder }: Pick<Worktree, 'gitFolder'>,
  git: Git,
  commit: string,
  message: string,
  settle: () => Promise<void>,
): Promise<Merge> {
  const note = join(gitFolder, NOTE);
  writeFileSync(note, `${commit}\n`);
  try {
    const tried = await (await keepOut(git)).attempt([
      'merge',
      '--no-ff',
      '--no-commit',
      '-q',
      commit,
    ]);
    if (!(await git.resolve('MERGE_HEAD'))) {
      return { kind: 'refused', reason: describeFailure(tried) };
    }
    await settle();
    const files = await git.paths(['diff', '--name-only', STAY_OUT, '--diff-filter=U', '-z']);
    if (files.length > 0) {
      await git.run(['merge', '--abort']);
      return { kind: 'conflict', files };
    }
    const unsigned = (await git.signing()) === 'fails' ? ['--no-gpg-sign'] : [];
    await git.run(['commit', '--no-verify', '-q', ...unsigned, '-m', message]);
    return { kind: 'merged' };
  } catch (error) {
    await abandonMerge({ gitFolder }, git);
    throw error;
  } finally {
    rmSync(note, { force: true });
  }
}

/** Undoes an interrupted merge of SAGA's own. A merge that somebody else began stays. */
export async function abandonMerge(
  { gitFolder }: Pick<Worktree, 'gitFolder'>,
  git: Git,
): Promise<void> {
  const note = join(gitFolder, NOTE);
  if (!existsSync(note)) return;
  if (await git.resolve('MERGE_HEAD')) await git.run(['merge', '--abort']);
  rmSync(note, { force: true });
}
