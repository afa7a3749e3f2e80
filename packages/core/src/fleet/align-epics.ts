import { type Git, isAncestor } from '../git/git.ts';
import { formatRunTrash } from '../git/refs/trash-refs.ts';
import { findLockOwner } from '../processes/lock.ts';
import { epicLock, type Paths } from '../project/paths.ts';
import { listDifferent } from './list-different.ts';

/**
 * Brings the branches of epics in the clone of an agent to what the remote has. This machine may have run an epic
 * before another one took it over: its branch here then lacks merges, and stories would seem to wait for them; or it
 * has merges that were never pushed, which no other machine knows. What only this clone has is kept in the trash
 * first. An epic that is being run here is left alone.
 */
export async function alignEpics(paths: Paths, git: Git, remote: string): Promise<void> {
  for (const { id, ref, here, there } of await listDifferent(git, remote, 'epic')) {
    if (findLockOwner(epicLock(paths, id))) continue;
    if (!(await isAncestor(git, here, there))) {
      const trash = formatRunTrash(`epic-${id}`, here.slice(0, 12));
      const kept = await git.attempt(['update-ref', `${trash}/heads/epic/${id}`, here]);
      if (kept.code !== 0) continue;
    }
    // Another job of this machine may have moved it meanwhile: then the branch stays where that job put it.
    await git.attempt(['update-ref', ref, there, here]);
  }
}
