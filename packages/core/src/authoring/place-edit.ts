import { join } from 'node:path';
import { placeTogether, type StagedChange, type StagedFiles } from '../plan/staging.ts';
import { requireIdle, withProjectLock, withStoryLock } from '../plan/story-lock.ts';
import type { Paths } from '../project/paths.ts';
import { findStoryHome } from '../project/story-home.ts';

/** A file of a task that an edit removes: where it was, and its path in a story's folder. */
export interface RemovedFile {
  from: string;
  path: string;
}

/** Keeps files that an edit removes, before it removes them. */
export type KeepRemoved = (removed: readonly RemovedFile[]) => Promise<void>;

/**
 * Makes the changes that `stage` returns. Holds the locks of the plan and of the stories meanwhile, and throws if a
 * worker works on one of the stories.
 */
export async function placeEdit(
  paths: Paths,
  stories: readonly string[],
  keep: KeepRemoved,
  stage: () => Promise<StagedFiles>,
): Promise<void> {
  const save = async () => {
    const staged = await stage();
    for (const story of stories) requireIdle(paths, story);
    await keep(listRemoved(paths, staged));
    placeTogether(paths, staged);
  };
  await withProjectLock(paths, () => lockAll(paths, stories.toSorted(), save));
}

async function lockAll(
  paths: Paths,
  ids: readonly string[],
  act: () => Promise<void>,
): Promise<void> {
  const [first, ...rest] = ids;
  if (first === undefined) return act();
  await withStoryLock(paths, first, () => lockAll(paths, rest, act));
}

/** Lists the files of tasks that the changes remove. */
export function listRemoved(paths: Paths, { changes = [] }: StagedFiles): RemovedFile[] {
  return changes.flatMap(({ story, name, before, after }: StagedChange) => {
    const path = `${story}/${name}.json`;
    const from = join(findStoryHome(paths, story) ?? '', `${name}.json`);
    return after === null && before !== null ? [{ from, path }] : [];
  });
}

/** Says what changes, one line for each file. */
export function describeStaged({ epics, changes = [] }: StagedFiles): string[] {
  return [
    ...[...epics.keys()].map((id) => `epic ${id}`),
    ...changes.map(({ story, name, before, after }) => {
      const what = after === null ? 'removed' : before === null ? 'new' : 'changed';
      return name === 'story' ? `story ${story}: ${what}` : `task ${story}/${name}: ${what}`;
    }),
  ];
}
