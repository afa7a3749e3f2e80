import type { Config } from '@saga-ai/types/config';
import type { Task } from '@saga-ai/types/plan/task';
import type { Focus } from './focus.ts';

type Settings = Pick<Config['worker'], 'model' | 'lastAttemptModel' | 'maxAttempts'>;
type Candidate = Pick<Task, 'id' | 'status' | 'attempts' | 'escalated'>;

/**
 * Chooses the model of the next run. A run that is the last attempt of one of its tasks gets the model that is
 * set for that. A run that only writes tests is no attempt.
 */
export function chooseModel(
  { model, lastAttemptModel, maxAttempts }: Settings,
  tasks: readonly Candidate[],
  focus: Focus | undefined,
): string {
  if (lastAttemptModel === null || focus?.role === 'tests') return model;
  const isMeant = ({ id, status, escalated }: Candidate) =>
    focus ? id === focus.taskId : status !== 'completed' && !escalated;
  const isLast = ({ attempts = 0 }: Candidate) => attempts >= maxAttempts - 1;
  return tasks.some((it) => isMeant(it) && isLast(it)) ? lastAttemptModel : model;
}
