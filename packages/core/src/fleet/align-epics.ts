import { type Git, isAncestor } from '../git/git.ts';
import { formatRunTrash } from '../git/refs/trash-refs.ts';
import { findLockOwner } from '../processes/lock.ts';
import { epicLock, type Paths } from '../project/paths.ts';

const HEADS = 'refs/heads/epic/';

/**
 * Brings the branches of epics in the clone of an agent to what the remote has. This machine may have run an epic
 * before another one took it over: its branch here then lacks merges, and stories would seem to wait for them. What
 * only this clone has is kept in the trash. An epic that is being run here is left alone.
 */
export async function alignEpics(paths: Paths, git: Git, remote: string): Promise<void> {
  const listed = await git.run(['for-each-ref', '--format=%(refname) %(objectname)', HEADS]);
  for (const line of listed.split('\n').filter((it) => it !== '')) {
    const [ref = '', here = ''] = line.split(' ');
    const id = ref.slice(HEADS.length);
    const there = await git.resolve(`refs/remotes/${remote}/epic/${id}`);
    if (there === undefined || there === here || (await isAncestor(git, there, here))) continue;
    if (findLockOwner(epicLock(paths, id))) continue;
    if (!(await isAncestor(git, here, there))) {
      const trash = formatRunTrash(`epic-${id}`, here.slice(0, 12));
      await git.run(['update-ref', `${trash}/heads/epic/${id}`, here]);
    }
    await git.run(['update-ref', ref, there, here]);
  }
}
