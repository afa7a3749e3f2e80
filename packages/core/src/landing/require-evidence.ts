import { isAncestor } from '../git/git.ts';
import { readEvidenceAt } from '../git/read-evidence-at.ts';
import { loadOverview } from '../overview/overview.ts';
import type { WorkerOrder } from '../worker/context.ts';
import { verifyEvidence } from '../worker/gate/verify-evidence.ts';
import { type Landing, notLanded } from './context.ts';

/**
 * Throws unless a gate passed for exactly what is about to be merged. Returns whether the gate of every story ran a
 * verify command.
 */
export async function requireEvidence(landing: Landing): Promise<{ isUnverified: boolean }> {
  return landing.kind === 'story' ? requireOfStory(landing) : requireOfEpic(landing);
}

async function requireOfStory(landing: Landing): Promise<{ isUnverified: boolean }> {
  const { worker, id, tip, git } = landing;
  const { paths, env, config } = worker;
  const { evidence, findings, holds } = await verifyEvidence(
    paths,
    id,
    config.gate.protectedFiles,
    env,
  );
  if (!holds) {
    const wrong = findings.find((it) => !it.holds);
    const hint =
      evidence.outcome === 'passed'
        ? `Check what is there now: saga gate ${id}`
        : `See what failed: saga verify ${id}`;
    throw notLanded(landing, `its evidence does not hold (${wrong?.what}: ${wrong?.detail})`, hint);
  }
  // The branch may be missing here. Then verifyEvidence has not compared the evidence with it.
  if (!(await isAncestor(git, evidence.head, tip))) {
    throw notLanded(
      landing,
      `${landing.branch} does not contain the commit that was checked`,
      `Check what is there now: saga gate ${id}`,
    );
  }
  return { isUnverified: !evidence.verify };
}

/**
 * Throws if something keeps a story from being landed: an open question, feedback, two copies of the plan. The state of
 * the story already includes all of these. Call this before the story is locked, because a locked story counts as
 * running.
 */
export async function requireInReview({ paths, storyId, env }: WorkerOrder): Promise<void> {
  const { stories } = await loadOverview(paths, env);
  const view = stories.find((it) => it.id === storyId);
  // A story that is done was merged before, and may have to be tidied up. For one that is running, taking the lock
  // fails.
  if (!view || ['in review', 'done', 'running'].includes(view.state)) return;
  // What an epic cannot merge, a person may still land: the evidence decides.
  if (view.needsYou?.every(({ kind }) => kind === 'epic')) return;
  throw notLanded(
    { kind: 'story', id: storyId },
    `it is not in review (${view.state}: ${view.reason})`,
    `What helps: ${view.next ?? `saga show ${storyId}`}`,
  );
}

/** Every story of the epic must be in its branch, with evidence of its own. */
async function requireOfEpic(landing: Landing): Promise<{ isUnverified: boolean }> {
  const { git, tip, stories, id } = landing;
  const missing: string[] = [];
  let isUnverified = false;
  for (const story of stories) {
    const evidence = await readEvidenceAt(git, tip, story);
    const isThere =
      evidence?.outcome === 'passed' &&
      evidence.story === story &&
      (await isAncestor(git, evidence.head, tip));
    if (!isThere) missing.push(story);
    else if (!evidence.verify) isUnverified = true;
  }
  if (missing.length === 0) return { isUnverified };
  throw notLanded(
    landing,
    `its branch lacks stories that passed their gate: ${missing.join(', ')}`,
    `Carry the epic through: saga run ${id}`,
  );
}
