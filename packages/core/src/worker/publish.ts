import { describeFailure, NETWORK_MS } from '../programs/git.ts';
import type { Worktree } from './ensure-worktree.ts';
import type { Emit } from './worker.ts';

export type Published = { pushed: true } | { pushed: false; reason: string };

/** Pushes the story's branch, if there is a remote and something new. Never by force. */
export async function publish({ git, branch, base }: Worktree, emit: Emit): Promise<Published> {
  const { remote } = base;
  if (remote === undefined) return { pushed: false, reason: 'there is no remote' };
  const [head, there] = await Promise.all([
    git.resolve('HEAD'),
    git.resolve(`refs/remotes/${remote}/${branch}`),
  ]);
  if (head === there) return { pushed: true };
  const result = await git.attempt(['push', '-q', '-u', remote, `HEAD:refs/heads/${branch}`], {
    timeoutMs: NETWORK_MS * 2,
  });
  if (result.code === 0) {
    emit('push:done', { remote, branch, commit: head });
    return { pushed: true };
  }
  const reason = describeFailure(result);
  emit('push:failed', { remote, branch, reason });
  return { pushed: false, reason };
}
