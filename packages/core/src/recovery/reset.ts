import { rmSync } from 'node:fs';
import { SagaError } from '../errors.ts';
import { loadOverview } from '../overview/overview.ts';
import { notFound } from '../plan/not-found.ts';
import { loadStory, saveTaskFieldsAt } from '../plan/stories.ts';
import { withStoryLock } from '../plan/story-lock.ts';
import type { Environment } from '../processes/run.ts';
import { evidenceFile, type Paths } from '../project/paths.ts';
import { type Discarded, discardWork } from './discard.ts';

export interface Reset {
  discarded: Discarded;
  /** The tasks that are pending again. */
  tasks: string[];
}

/**
 * Begins a story anew: its branch and worktree go into the trash, and every task of the plan is pending again,
 * without attempts. The evidence of its last gate goes into the trash, too.
 */
export async function resetStory(paths: Paths, id: string, env: Environment): Promise<Reset> {
  const { stories } = await loadOverview(paths, env);
  const story = stories.find((it) => it.id === id);
  if (!story) throw notFound(paths, id);
  if (story.state === 'done') {
    throw new SagaError(
      'usage',
      `Story ${id} is done: its work is in the base, and resetting it would not take it out.`,
      `Revert its commits in the base with git, or plan what is left as a new story: saga create`,
    );
  }
  const plan = { files: [], note: { blockedBy: [], dependents: [] } };
  const discarded = await discardWork({ paths, id, env, why: 'reset', plan });
  const tasks = await withStoryLock(paths, id, (home) => {
    const changed = loadStory(paths, id).tasks.filter((task) =>
      saveTaskFieldsAt(paths, home, task.id, {
        status: 'pending',
        ...{ attempts: undefined, lastOutcome: undefined, escalated: undefined },
      }),
    );
    rmSync(evidenceFile(home), { force: true });
    return changed.map((task) => task.id);
  });
  return { discarded, tasks };
}
