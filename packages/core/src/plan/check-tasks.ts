import { findGraphFaults } from '@saga-ai/types/plan/graph';
import type { Task } from '@saga-ai/types/plan/task';
import type { Problem } from '@saga-ai/types/words/problem';

/** Finds problems between the tasks of one story. Each file itself was checked when it was read. */
export function checkTasks(
  storyId: string,
  tasks: readonly Pick<Task, 'id' | 'blockedBy'>[],
  fileOf: (taskId: string) => string,
): Problem[] {
  const faults = findGraphFaults(tasks);
  const about = (id: string) => ({ file: fileOf(id), field: 'blockedBy', story: storyId });
  return [
    ...faults.missing.map(
      ({ id, blockedBy }): Problem => ({
        code: 'unknown-id',
        message: `${fileOf(id)}: "blockedBy" names task ${blockedBy}, which story ${storyId} does not have.`,
        hint: `Remove it from "blockedBy", or add the task ${blockedBy}.`,
        ...about(id),
      }),
    ),
    ...faults.selfBlocked.map(
      (id): Problem => ({
        code: 'self-block',
        message: `${fileOf(id)}: task ${id} is blocked by itself.`,
        hint: `Remove ${id} from its "blockedBy".`,
        ...about(id),
      }),
    ),
    ...faults.cycles.map(
      (cycle): Problem => ({
        code: 'cycle',
        message: `Tasks of story ${storyId} block each other in a circle: ${cycle.join(' → ')}.`,
        hint: 'Remove one of these ids from the "blockedBy" of another.',
        ...about(cycle[0] ?? ''),
      }),
    ),
  ];
}
