import type { Git } from '../git.ts';
import { type PushOutcome, parsePushOutcome } from './push-outcome.ts';

/** Long enough for large files over a slow connection. */
const PUSH_MS = 5 * 60_000;
const WITHOUT_HOOKS = ['-c', 'core.hooksPath=/dev/null'];

export interface Push {
  /** The name of the remote, also in messages. */
  remote: string;
  /** The branch on the remote. */
  branch: string;
  /** What the branch is to become. Without it, the branch of the same name: HEAD may be somewhere else. */
  commit?: string;
  /** The addresses to push to, one after the other. Without them, the remote's as git's settings say. */
  urls?: readonly string[] | undefined;
  /**
   * Has the remote refuse the push unless its branch is still at this commit; if undefined, unless it has no such
   * branch. git then also accepts a push that is no fast-forward, so the caller must have checked that it is one.
   */
  onlyIfAt?: { commit: string | undefined } | undefined;
  /** How long the push may take. If missing: long enough for large files. */
  timeoutMs?: number;
  /** Runs the project's own hook. It is told the name of the remote and may need it, so `urls` does not count. */
  withHook?: boolean;
}

/** Pushes a branch. Never replaces commits of the remote. */
export async function pushBranch(git: Git, push: Push): Promise<PushOutcome> {
  const { remote, branch, urls = [remote], onlyIfAt, withHook = false, timeoutMs = PUSH_MS } = push;
  const { commit = `refs/heads/${branch}` } = push;
  const lead = withHook ? [] : WITHOUT_HOOKS;
  const only = onlyIfAt ? [`--force-with-lease=refs/heads/${branch}:${onlyIfAt.commit ?? ''}`] : [];
  for (const url of withHook ? [remote] : urls) {
    const args = [...lead, 'push', '-q', ...only, url, `${commit}:refs/heads/${branch}`];
    const pushed = await git.attempt(args, { network: 'delivering', timeoutMs });
    const outcome = parsePushOutcome(pushed, push);
    if (outcome.kind !== 'done') return outcome;
  }
  return { kind: 'done' };
}

/**
 * Notes here what the remote has now. git itself does so only after a push to a remote by its name, and only if the
 * remote has the usual refspec. With `before`, the note is not changed if it names another commit.
 */
export async function trackPushed(
  git: Git,
  { remote, branch }: { remote: string; branch: string },
  commit: string,
  before?: string,
): Promise<void> {
  const tracking = `refs/remotes/${remote}/${branch}`;
  const only = before === undefined ? [] : [before];
  await git.attempt([
    ...WITHOUT_HOOKS,
    ...['update-ref', '-m', 'saga: push', tracking, commit, ...only],
  ]);
}
