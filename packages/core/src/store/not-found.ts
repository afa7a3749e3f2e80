import { findNearest } from '@saga-ai/types/nearest';
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
  const near = findNearest(taskId, taskIds);
  return new SagaError(
    'not-found',
    `Story ${storyId} has no task ${JSON.stringify(taskId)}.`,
    near === undefined ? `saga show ${storyId} lists its tasks.` : `Did you mean ${near}?`,
  );
}

/** People often remember one word of an id: "chekout" for shop-checkout. */
function resemblesPart(word: string, id: string): boolean {
  return word !== '' && (id.includes(word) || findNearest(word, id.split('-')) !== undefined);
}
