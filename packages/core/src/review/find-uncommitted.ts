import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { openPlainGit } from '../git/plain-git.ts';
import { listUncommitted } from '../git/uncommitted.ts';
import { findUsableWorktree } from '../git/worktree.ts';
import type { Environment } from '../processes/run.ts';
import type { Paths } from '../project/paths.ts';
import type { ReviewRange } from './find-range.ts';
import { isForReview } from './list-changes.ts';

/** Lists files in the worktree of a story with changes that no commit has, so no reviewer would see them. */
export async function findUncommitted(
  paths: Paths,
  env: Environment,
  id: string,
  { isMerged }: Pick<ReviewRange, 'isMerged'>,
): Promise<string[]> {
  const folder = findUsableWorktree(paths, id)?.folder;
  if (isMerged || folder === undefined || !existsSync(join(folder, '.git'))) return [];
  const changed = await listUncommitted(openPlainGit(folder, env));
  return changed.filter((path) => isForReview(path));
}
