import type { Cause } from '@saga-ai/types/run/cause';
import type { Evidence } from '@saga-ai/types/run/evidence';
import type { Worktree } from '../../git/worktree.ts';
import type { Worker } from '../context.ts';
import { publish } from './publish.ts';
import { ensureDraftPullRequest, type StoryPullRequest } from './pull-request.ts';

export interface HandOver {
  pullRequest: StoryPullRequest;
  evidence: Evidence;
}

/** Marks the pull request as ready after the gate has passed. If GitHub refuses, the cause says so. */
export async function handOver(
  worker: Worker,
  worktree: Worktree,
  { pullRequest: known, evidence }: HandOver,
): Promise<Cause> {
  const pullRequest = known.missing === undefined ? known : await askAgain(worker, worktree);
  const { missing } = pullRequest;
  if (missing !== undefined) return { kind: 'done', noPullRequest: missing };
  const refusal = (await worker.fence?.check()) ?? (await pullRequest.markReady(evidence));
  return { kind: 'done', ...(refusal === undefined ? {} : { refusal }) };
}

/** Tries once more to open the pull request: GitHub or the remote may answer now. */
async function askAgain(worker: Worker, worktree: Worktree): Promise<StoryPullRequest> {
  const { isUnreachable: _, ...base } = worktree.base;
  const pullRequest = await ensureDraftPullRequest(worker, { ...worktree, base });
  // The address of the pull request was just committed to the story's file, so push again.
  if (pullRequest.url !== undefined) await publish(worker, worktree);
  return pullRequest;
}
