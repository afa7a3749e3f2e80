import { describeUnmet } from '@saga-ai/types/screens/life';
import type { Overview, StoryView } from '@saga-ai/types/screens/overview';
import { SagaError } from '../../errors.ts';
import { toError } from '../../files/json-file.ts';
import { loadOverview } from '../../overview/overview.ts';
import { loadItem } from '../../plan/resolve.ts';
import { hasWorker } from '../../plan/story-lock.ts';
import { findLockOwner } from '../../processes/lock.ts';
import type { Environment } from '../../processes/run.ts';
import { type Paths, workerLock } from '../../project/paths.ts';
import { findLiveSession } from '../../records/session-records.ts';

/**
 * Throws if a worker has the story or a file is broken. Unless the caller waives it, also throws if the story may not
 * start yet. Returns the story as every screen shows it, or undefined if only the first two were checked.
 */
export async function requireStartable(
  paths: Paths,
  id: string,
  env: Environment,
  anyway: boolean,
): Promise<StoryView | undefined> {
  const item = loadItem(paths, id);
  if (item.kind === 'epic') {
    throw new SagaError(
      'usage',
      `${id} is an epic; a worker runs one story.`,
      `Run the whole epic: saga run ${id}`,
    );
  }
  if (item.problems.length > 0) throw toError(item.problems);
  const owner = findLockOwner(workerLock(paths, id));
  if (owner) {
    const { startedIn } = findLiveSession(paths, id) ?? {};
    throw hasWorker(paths, id, { ...owner, startedIn });
  }
  if (anyway) return undefined;
  const overview = await loadOverview(paths, env);
  const view = overview.stories.find((it) => it.id === id);
  if (view) requireTurn(overview, view);
  return view;
}

/**
 * Throws if the story would work on the wrong thing: begun too early, it would branch from a base that
 * lacks what it builds on; with two copies, it would follow the old plan.
 */
function requireTurn({ stories, epics }: Overview, { id, hindrances, blockedBy }: StoryView): void {
  if (hindrances.includes('copies')) {
    throw new SagaError(
      'two-copies',
      `The plan of story ${id} was edited in the main checkout only.`,
      `Take the edited plan over: saga update ${id}, or go on with the plan on its branch: saga run ${id} --anyway`,
    );
  }
  if (!hindrances.includes('waits')) return;
  const unmet = blockedBy.map((other) => {
    const { state = 'waiting', pr } =
      stories.find((it) => it.id === other) ?? epics.find((it) => it.id === other) ?? {};
    return describeUnmet({ id: other, state, pr: pr || undefined });
  });
  throw new SagaError(
    'waits',
    `Story ${id} waits for ${unmet.join('; ')}.`,
    `See what can start now: saga ready, or begin all the same: saga run ${id} --anyway`,
  );
}
