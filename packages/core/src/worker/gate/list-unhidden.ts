import { removeTree } from '../../files/remove-tree.ts';
import { openOwnGit, saveOwnGit } from '../../git/own-git.ts';
import { listUncommitted } from '../../git/uncommitted.ts';
import type { Worktree } from '../../git/worktree.ts';
import { ownGitFolder } from '../../project/paths.ts';
import type { Worker } from '../context.ts';

/**
 * Lists files that are not as the commit says, with nothing hidden: only the `.gitignore` files of the
 * checkout count. Ignore rules, filters, attributes and index flags that a run can put into git's own
 * folder do not.
 */
export async function listUnhidden(
  { paths, storyId, env }: Worker,
  { git, branch, folder }: Worktree,
  head: string,
): Promise<string[]> {
  const own = ownGitFolder(paths, storyId);
  try {
    await saveOwnGit({ folder: own, from: git, branch, head });
    const inside = openOwnGit(own, folder, env);
    await inside.run(['read-tree', head]);
    return await listUncommitted(inside);
  } finally {
    removeTree(own);
  }
}
