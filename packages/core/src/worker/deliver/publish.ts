import type { Emit } from '@saga-ai/types/run/event';
import { findUnpushedWip } from '../../git/wip.ts';
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
  const wip = isNew && tip ? await findUnpushedWip(git, storyOf(branch), tip) : undefined;
  if (wip !== undefined) {
    const reason = describeWip(worktree, remote, wip);
    emit('push:failed', { remote, branch, reason });
    return { pushed: false, reason };
  }
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
  const reason = await explain(result, worktree, remote);
  emit('push:failed', { remote, branch, reason });
  return { pushed: false, reason };
}

/** A secret may be among files that nobody has looked at, so only a person pushes them. */
function describeWip({ folder, branch }: Worktree, remote: string, wip: string): string {
  const git = `git -C ${quote(folder)}`;
  return `${branch} contains files that no run committed (commit ${wip}), and they are not pushed unasked; look at them: ${git} show ${wip}; to push them: ${git} push ${remote} ${branch}`;
}

const storyOf = (branch: string) => branch.slice(branch.indexOf('/') + 1);

async function explain(result: ProgramResult, worktree: Worktree, remote: string): Promise<string> {
  const { stderr } = result;
  const { branch } = worktree;
  if (/\((non-fast-forward|fetch first)\)/.test(stderr)) {
    return explainDiverged(worktree, remote);
  }
  // The message of the remote's hook or rule is more useful than git's summary of it.
  const said = [...stderr.matchAll(/^remote: ?(.*\S)/gm)].map(([, line]) => line);
  const refused = /! \[remote rejected\].*\((.+)\)/.exec(stderr)?.[1];
  if (refused === undefined) return describeFailure(result);
  return `${remote} refuses ${branch} (${refused})${said.length > 0 ? `: ${said.slice(-5).join(' · ')}` : ''}`;
}

/**
 * Says who moved: if the branch here once was what the remote has, it was rewritten here; otherwise
 * somebody else pushed.
 */
async function explainDiverged({ git, branch, folder }: Worktree, remote: string): Promise<string> {
  const ref = `refs/heads/${branch}`;
  const asked = await git.attempt(['ls-remote', remote, ref], { network: 'asking' });
  const there =
    /^[0-9a-f]+/.exec(asked.stdout)?.[0] ?? (await git.resolve(`refs/remotes/${remote}/${branch}`));
  const earlier = await git.attempt(['rev-list', '-g', ref]);
  const isOurs = there !== undefined && earlier.stdout.split('\n').includes(there);
  const command = `git -C ${quote(folder)}`;
  if (!isOurs) {
    return `${branch} has new commits on the remote; merge them: ${command} pull --rebase ${remote} ${branch}`;
  }
  return `${branch} was rewritten here (rebased, amended or reset), and ${remote} still has it as it was (${there.slice(0, 12)}); compare: ${command} log ${there.slice(0, 12)}...HEAD; to replace it: ${command} push --force-with-lease ${remote} ${branch}`;
}
