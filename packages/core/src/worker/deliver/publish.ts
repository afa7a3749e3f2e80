import type { Emit } from '@saga-ai/types/run/event';
import type { Worktree } from '../../git/worktree.ts';
import { describeFailure } from '../../processes/describe-failure.ts';
import { quote } from '../../processes/quote.ts';
import type { ProgramResult } from '../../processes/run.ts';

const PUSH_MS = 120_000;

/** `isNew` is true if the branch did not exist on the remote before. */
export type Published = { pushed: true; isNew: boolean } | { pushed: false; reason: string };

/**
 * Pushes the story's branch if there is a remote and the branch has new commits. Never forces the
 * push. What the remote already has is taken from the local tracking branch; with `isAsked` the remote
 * itself is asked, because the branch may have been deleted there.
 */
export async function publish(
  worktree: Worktree,
  emit: Emit,
  { isAsked = false }: { isAsked?: boolean } = {},
): Promise<Published> {
  const { git, branch, base } = worktree;
  const { remote } = base;
  if (remote === undefined) return { pushed: false, reason: 'there is no remote' };
  const [tip, there] = await Promise.all([
    git.resolve(`refs/heads/${branch}`),
    git.resolve(`refs/remotes/${remote}/${branch}`),
  ]);
  const isNew = tip !== there;
  if (!isNew && !isAsked) return { pushed: true, isNew };
  // Push the branch instead of HEAD: a stopped run may have left HEAD somewhere else.
  const ref = `refs/heads/${branch}:refs/heads/${branch}`;
  const result = await git.attempt(['push', '-q', '-u', remote, ref], {
    network: 'delivering',
    timeoutMs: PUSH_MS,
  });
  if (result.code === 0) {
    if (isNew) emit('push:done', { remote, branch, commit: tip });
    return { pushed: true, isNew };
  }
  const reason = explain(result, worktree, remote);
  emit('push:failed', { remote, branch, reason });
  return { pushed: false, reason };
}

function explain(result: ProgramResult, { folder, branch }: Worktree, remote: string): string {
  const { stderr } = result;
  if (/\((non-fast-forward|fetch first)\)/.test(stderr)) {
    const pull = `git -C ${quote(folder)} pull --rebase ${remote} ${branch}`;
    return `${branch} has new commits on the remote; merge them: ${pull}`;
  }
  // The message of the remote's hook or rule is more useful than git's summary of it.
  const said = [...stderr.matchAll(/^remote: ?(.*\S)/gm)].map(([, line]) => line);
  const refused = /! \[remote rejected\].*\((.+)\)/.exec(stderr)?.[1];
  if (refused === undefined) return describeFailure(result);
  return `${remote} refuses ${branch} (${refused})${said.length > 0 ? `: ${said.slice(-5).join(' · ')}` : ''}`;
}
