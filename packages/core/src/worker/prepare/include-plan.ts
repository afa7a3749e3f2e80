import { join } from 'node:path';
import { PLAN_FOLDER } from '@saga-ai/types/plan/plan-paths';
import { openPlainGit } from '../../git/plain-git.ts';
import type { Worktree } from '../../git/worktree.ts';
import { isSparse, readLines } from '../../project/git-files.ts';

/**
 * Makes sure that a sparse worktree has the plan's folder. A new worktree has the sparse-checkout patterns of the main
 * checkout, so git could remove the plan from it with the next merge. The main checkout stays as it is.
 */
export async function includePlan({ folder, gitFolder, git }: Worktree): Promise<void> {
  if (!isSparse(folder)) return;
  const patterns = readLines(join(gitFolder, 'info/sparse-checkout'));
  // Without patterns the checkout is not sparse.
  if (patterns.length === 0 || patterns.includes(`/${PLAN_FOLDER}/`)) return;
  const plain = openPlainGit(folder, git.env);
  const asked = await plain.attempt(['config', '--type=bool', 'core.sparseCheckoutCone']);
  const pattern = asked.stdout.trim() === 'true' ? PLAN_FOLDER : `/${PLAN_FOLDER}/`;
  await plain.run(['sparse-checkout', 'add', pattern]);
}
