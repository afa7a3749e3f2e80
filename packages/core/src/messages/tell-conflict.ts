import { listFiles } from '@saga-ai/types/words/amounts';
import { appendJournal } from '../plan/journal.ts';
import { loadStory } from '../plan/stories.ts';
import type { Paths } from '../project/paths.ts';
import { type StoryJournal, type ToldConflict, tellRefusedMerge } from './tell-refused-merge.ts';

/** A base that cannot be merged into a story's branch. */
export interface BaseConflict {
  branch: string;
  /** The newest commit of the branch. */
  tip: string;
  /** The base by its name, and the commit that was tried. */
  base: string;
  commit: string;
  files: readonly string[];
}

/** Tells a story that its base conflicts. */
export async function tellConflict(
  paths: Paths,
  storyId: string,
  { branch, tip, base, commit, files }: BaseConflict,
): Promise<ToldConflict> {
  return tellRefusedMerge(openOwnJournal(paths, storyId), {
    why: 'conflict',
    title: `Does not merge with ${base}`,
    detail: `${branch} and ${base} change the same places: ${listFiles(files)}`,
    order: orderMerge(commit.slice(0, 12)),
    head: commit,
    tip,
  });
}

/** Opens the journal of a story in its files on this machine. */
export const openOwnJournal = (paths: Paths, storyId: string): StoryJournal => ({
  read: async () => loadStory(paths, storyId).journal,
  append: async (entry) => void (await appendJournal(paths, storyId, entry)),
});

/** Returns what a run is told to do about a conflict. */
export const orderMerge = (into: string): string =>
  `Merge ${into} into your branch (git merge ${into}), resolve the conflicts so that both changes keep their meaning, and commit the merge.`;
