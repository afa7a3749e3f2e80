import type { Problem } from '@saga-ai/types/words/problem';
import type { SagaError } from '../../../errors.ts';
import { toError } from '../../../files/json-file.ts';
import { notFoundAmong } from '../../../plan/not-found.ts';

/** Explains why a task was not loaded: its file is broken, or there is none. */
export function explainMissing(
  id: string,
  { tasks, problems }: { tasks: readonly { id: string }[]; problems: readonly Problem[] },
  label: string,
): SagaError {
  const broken = problems.filter(({ file }) => file?.split('/').at(-1) === `${id}.json`);
  if (broken.length > 0) return toError(broken);
  const ids = tasks.map((it) => it.id);
  return notFoundAmong(id, ids, label);
}
