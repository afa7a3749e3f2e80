import { findNearest } from '@saga-ai/types/words/nearest';
import { SagaError } from '../errors.ts';
import type { Paths } from '../project/paths.ts';
import { listArchived } from './archived.ts';
import { listIds } from './list-ids.ts';

export function notFound(paths: Paths, id: string): SagaError {
  if (listArchived(paths).has(id)) {
    return new SagaError(
      'not-found',
      `${JSON.stringify(id)} is archived.`,
      `Bring it back: saga unarchive ${id}`,
    );
  }
  const ids = listIds(paths);
  const near = findNearest(id, ids) ?? ids.find((known) => resemblesPart(id, known));
  return new SagaError(
    'not-found',
    `No story or epic ${JSON.stringify(id)}.`,
    near === undefined ? 'saga list shows all.' : `Did you mean ${near}?  saga list shows all.`,
  );
}

export function notFoundTask(storyId: string, taskId: string, taskIds: string[]): SagaError {
  return notFoundAmong(taskId, taskIds, `story ${storyId}`);
}

/** The error for an unknown task of a story or a list. */
export function notFoundAmong(taskId: string, taskIds: string[], label: string): SagaError {
  const near = findNearest(taskId, taskIds) ?? taskIds.find((id) => resemblesPart(taskId, id));
  const few = taskIds.length > 0 && taskIds.length <= 12 ? `It has ${taskIds.join(', ')}.` : '';
  return new SagaError(
    'not-found',
    `There is no task ${JSON.stringify(taskId)} in ${label}.`,
    near === undefined ? few || 'List the tasks first.' : `Did you mean ${near}?`,
  );
}

/**
 * Whether a word is close to a part of an id: people often remember one word, such as "chekout" for
 * shop-checkout.
 */
function resemblesPart(word: string, id: string): boolean {
  return word !== '' && (id.includes(word) || findNearest(word, id.split('-')) !== undefined);
}
