import { existsSync, renameSync } from 'node:fs';
import { dirname } from 'node:path';
import { Epic } from '@saga-ai/types/plan/epic';
import { isId } from '@saga-ai/types/plan/ids';
import { SagaError, toSystemError } from '../errors.ts';
import { syncFolder } from '../files/atomic-write.ts';
import { ensureFolder } from '../files/ensure-folder.ts';
import { loadJsonFile } from '../files/json-file.ts';
import { listArchived } from '../plan/archived.ts';
import { readEpics } from '../plan/epics.ts';
import { notFound } from '../plan/not-found.ts';
import { hasWorker, withProjectLock } from '../plan/story-lock.ts';
import { findLockOwner } from '../processes/lock.ts';
import {
  archivedEpicFile,
  archivedStoryFolder,
  epicFile,
  mainStoryFolder,
  type Paths,
  workerLock,
} from '../project/paths.ts';
import { quote } from '../project/quote.ts';
import { findStoryWorktree } from '../project/story-worktrees.ts';

/** Moves a story, or an epic with everything below it, to the archive. `unarchive` brings it back. */
export async function archive(paths: Paths, id: string): Promise<string[]> {
  if (!isId(id)) throw notFound(paths, id);
  return withProjectLock(paths, () => {
    const { epics } = readEpics(paths);
    const isEpic = existsSync(epicFile(paths, id));
    if (!isEpic && !existsSync(mainStoryFolder(paths, id))) {
      requireAtRest(paths, id);
      throw notFound(paths, id);
    }
    const parent = epics.find((epic) => epic.children.some((child) => child.id === id));
    if (parent) {
      throw new SagaError(
        'in-flight',
        `${id} belongs to epic ${parent.id}, which is not archived.`,
        `Archive the whole epic: saga archive ${parent.id}`,
      );
    }
    const { stories, epicIds } = collectBelow(id, isEpic, new Map(epics.map((it) => [it.id, it])));
    for (const story of stories) requireAtRest(paths, story);
    for (const story of stories) {
      moveIfThere(mainStoryFolder(paths, story), archivedStoryFolder(paths, story));
    }
    // The requested epic is moved last, so that an interrupted archive can be repeated.
    for (const epic of epicIds.toReversed()) {
      moveIfThere(epicFile(paths, epic), archivedEpicFile(paths, epic));
    }
    return [...epicIds, ...stories];
  });
}

export async function unarchive(paths: Paths, id: string): Promise<string[]> {
  return withProjectLock(paths, () => {
    const moved: string[] = [];
    const bring = (itemId: string) => {
      const file = archivedEpicFile(paths, itemId);
      if (existsSync(file)) {
        const { value } = loadJsonFile(paths.root, file, Epic);
        for (const child of value.children) bring(child.id);
        moveIfThere(file, epicFile(paths, itemId));
        moved.unshift(itemId);
      } else if (existsSync(archivedStoryFolder(paths, itemId))) {
        moveIfThere(archivedStoryFolder(paths, itemId), mainStoryFolder(paths, itemId));
        moved.push(itemId);
      }
    };
    if (!listArchived(paths).has(id)) {
      throw new SagaError(
        'not-found',
        `Nothing called ${JSON.stringify(id)} is in the archive.`,
        'saga list --archived shows the archive.',
      );
    }
    bring(id);
    return moved;
  });
}

function collectBelow(id: string, isEpic: boolean, epics: ReadonlyMap<string, Epic>) {
  const stories: string[] = [];
  const epicIds: string[] = [];
  const visit = (itemId: string) => {
    const epic = epics.get(itemId);
    if (!epic) {
      stories.push(itemId);
    } else if (!epicIds.includes(itemId)) {
      epicIds.push(itemId);
      for (const child of epic.children) visit(child.id);
    }
  };
  visit(id);
  // The children of an epic that cannot be read are unknown, but the epic can still be archived.
  if (isEpic && !epics.has(id)) return { stories: [], epicIds: [id] };
  return { stories, epicIds };
}

function requireAtRest(paths: Paths, storyId: string): void {
  const worker = findLockOwner(workerLock(paths, storyId));
  const folder = findStoryWorktree(paths, storyId)?.folder;
  if (folder !== undefined) {
    throw new SagaError(
      'in-flight',
      `Story ${storyId} still has its worktree ${folder}.`,
      `Remove the worktree first; its branch stays: git worktree remove ${quote(folder)}`,
    );
  }
  if (worker) throw hasWorker(paths, storyId, worker);
}

function moveIfThere(from: string, to: string): void {
  if (!existsSync(from)) return;
  if (existsSync(to)) {
    throw new SagaError('already-exists', `${to} exists already.`, 'Rename one of the two.');
  }
  try {
    ensureFolder(dirname(to));
    renameSync(from, to);
    syncFolder(dirname(to));
    syncFolder(dirname(from));
  } catch (error) {
    throw toSystemError(error, to);
  }
}
