import { readdirSync } from 'node:fs';
import { removeTree } from '../../files/remove-tree.ts';
import { isStillThere } from '../../git/worktree.ts';
import { displayPath } from '../../project/display-path.ts';
import { isFolder } from '../../project/find-project.ts';
import { putBackCopies } from '../../project/paths.ts';
import type { Worker } from '../context.ts';
import { keepAside } from '../settle/restore-definitions.ts';
import { endUnfinished, findNotedFolder } from '../settle/unfinished-run.ts';

/**
 * Moves away a folder that a run wrote in the place of its worktree, after somebody had deleted the worktree. If the
 * folder counted as the worktree, all other files of the branch would seem deleted, and the next run would commit that.
 */
export async function keepRemains(worker: Worker, folder: string): Promise<void> {
  const { paths, session, emit } = worker;
  const noted = findNotedFolder(worker);
  if (!noted || !isFolder(folder) || readdirSync(folder).length === 0) return;
  if (isStillThere({ folder, identity: noted.identity })) return;
  // Programs that the run started may still be writing there.
  await endUnfinished(worker, noted);
  const keptIn = putBackCopies(paths, session, noted.runId);
  keepAside(folder, keptIn);
  removeTree(folder);
  emit('worktree:remains', { path: displayPath(paths.root, folder), keptIn });
}
