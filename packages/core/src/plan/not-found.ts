import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { storyPath } from '@saga-ai/types/plan/plan-paths';
import { findNearest } from '@saga-ai/types/words/nearest';
import { SagaError } from '../errors.ts';
import { type Paths, storyFolderIn } from '../project/paths.ts';
import { quote } from '../project/quote.ts';
import { listArchived } from './archived.ts';
import { listEpicIds, listIds } from './list-ids.ts';

/** Builds the error for an id that names no story or epic, or names an epic where a story is needed. */
export function notFound(paths: Paths, id: string): SagaError {
  const pinned = paths.pinned.find((it) => it.storyId === id);
  if (pinned) return worktreeGone(pinned.folder, id);
  if (listArchived(paths).has(id)) {
    return new SagaError(
      'not-found',
      `${JSON.stringify(id)} is archived.`,
      `Bring it back: saga unarchive ${id}`,
    );
  }
  const ids = listIds(paths);
  if (listEpicIds(paths).includes(id)) {
    return new SagaError(
      'not-found',
      `${JSON.stringify(id)} is an epic, not a story.`,
      `Name one of its stories. saga show ${id} lists them.`,
    );
  }
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

/** Builds the error for an unknown task of a story or a list. */
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

/** Builds the error for a worker whose worktree, or the story in it, was removed. The error names what is missing. */
export function worktreeGone(folder: string, storyId: string): SagaError {
  const home = storyFolderIn(folder, storyId);
  // A folder without the link is not the worktree. A client that goes on writing may have made the folder again.
  return existsSync(join(folder, '.git'))
    ? new SagaError(
        'worktree-gone',
        `${home} is gone: it was removed while a worker worked on the story.`,
        `Restore it: git -C ${quote(folder)} checkout HEAD -- ${storyPath(storyId)}, then saga run ${storyId}`,
      )
    : new SagaError(
        'worktree-gone',
        `The worktree ${folder} is gone: it was removed while a worker worked on the story.`,
        `Run the story again: saga run ${storyId}. The worktree is made anew from its branch; uncommitted changes are lost.`,
      );
}
