import { existsSync, renameSync } from 'node:fs';
import { dirname } from 'node:path';
import { Epic } from '@saga-ai/types/plan/epic';
import { isId } from '@saga-ai/types/plan/ids';
import { SagaError } from '../errors.ts';
import { ensureIgnoredFolder, syncFolder } from '../files/atomic-write.ts';
import { readJsonFile } from '../files/json-file.ts';
import { removeTree } from '../files/remove-tree.ts';
import { notFound } from '../plan/not-found.ts';
import { withProjectLock } from '../plan/story-lock.ts';
import type { Environment } from '../processes/run.ts';
import { displayPath } from '../project/display-path.ts';
import { deletingFolder, epicFile, mainStoryFolder, type Paths } from '../project/paths.ts';
import { findStoryHome } from '../project/story-home.ts';
import { type Discarded, discardWork, requireNoScheduler } from './discard.ts';
import { findPlaceInEpic, type PlaceInEpic, saveChildren, withoutChild } from './place-in-epic.ts';

export interface Deleted {
  discarded: Discarded;
  /** The siblings that waited for the item, and that now wait for its own blockers. */
  rewired: string[];
}

/**
 * Puts a story or an epic into the trash, with its plan, branch and worktree, and takes it out of its epic. Throws if
 * siblings wait for the item, unless they are rewired: then they wait for the item's own blockers. An epic must have no
 * children. May be called again after a kill.
 */
export async function deleteItem(
  paths: Paths,
  id: string,
  env: Environment,
  options: { rewire?: boolean } = {},
): Promise<Deleted> {
  if (!isId(id)) throw notFound(paths, id);
  const place = findPlaceInEpic(paths, id);
  const isEpic = existsSync(epicFile(paths, id));
  const file = isEpic ? epicFile(paths, id) : mainStoryFolder(paths, id);
  const isThere = isEpic || findStoryHome(paths, id) !== undefined;
  // The second half of a delete that was killed: the files are in the trash, but the epic still names them.
  if (!isThere && !place) throw notFound(paths, id);
  if (isEpic) requireEmpty(paths, id);
  if (!options.rewire) requireNoDependents(id, place);
  const discarded: Discarded = isThere
    ? await discardWork({
        ...{ paths, id, env, isEpic, why: 'delete' },
        plan: {
          isEpic,
          files: isEpic ? [displayPath(paths.root, file)] : [],
          note: {
            epic: place ? place.epic : undefined,
            blockedBy: place?.blockedBy ?? [],
            dependents: place?.dependents ?? [],
          },
        },
      })
    : { sessions: 0 };
  await withProjectLock(paths, () => {
    if (existsSync(file)) remove(paths, file, id);
    if (place) saveChildren(paths, place.epic, (children) => withoutChild(children, id));
  });
  return { discarded, rewired: place?.dependents ?? [] };
}

/** Removes files in one step: a reader sees all of them or none. */
function remove(paths: Paths, file: string, id: string): void {
  const aside = deletingFolder(paths, id);
  ensureIgnoredFolder(paths.passing);
  removeTree(aside);
  renameSync(file, aside);
  syncFolder(dirname(file));
  removeTree(aside);
}

function requireEmpty(paths: Paths, id: string): void {
  requireNoScheduler(paths, id);
  const read = readJsonFile(paths.root, epicFile(paths, id), Epic);
  const children = 'value' in read ? read.value.children.map((it) => it.id) : [];
  if (children.length === 0) return;
  throw new SagaError(
    'in-flight',
    `Epic ${id} still has ${children.join(', ')}.`,
    `Keep all of it out of sight: saga archive ${id}. Or delete them first: saga delete ${children[0]}`,
  );
}

function requireNoDependents(id: string, place: PlaceInEpic | undefined): void {
  if (!place || place.dependents.length === 0) return;
  const after = place.blockedBy.length === 0 ? 'nothing' : place.blockedBy.join(', ');
  const [first] = place.dependents;
  const wait =
    place.dependents.length === 1 ? `${first} waits` : `${place.dependents.join(', ')} wait`;
  throw new SagaError(
    'in-flight',
    `${wait} for ${id}, in epic ${place.epic}.`,
    `Let ${place.dependents.length === 1 ? 'it' : 'them'} wait for ${after} instead: saga delete ${id} --rewire. Or change the order: saga edit ${place.epic}`,
  );
}
