import { findOpenFeedback, parseJournal } from '@saga-ai/types/plan/journal';
import { listFiles } from '@saga-ai/types/words/amounts';
import { appendJournal } from '../plan/journal.ts';
import { loadStory } from '../plan/stories.ts';
import type { Paths } from '../project/paths.ts';

/** A base that cannot be merged into a story's branch. */
export interface BaseConflict {
  branch: string;
  /** The base by its name, and the commit that was tried. */
  base: string;
  commit: string;
  files: readonly string[];
}

/**
 * told: the next run is told of the conflict, by this call or an earlier one. asked: a run could not mend the conflict,
 * so a person is asked.
 */
export type ToldConflict = 'told' | 'asked';

/**
 * Tells a story that its base conflicts: as feedback, which its next run works on. If a run was told of this very commit
 * and it still conflicts, a person is asked.
 */
export async function tellConflict(
  paths: Paths,
  storyId: string,
  { branch, base, commit, files }: BaseConflict,
): Promise<ToldConflict> {
  const title = `Does not merge with ${base}`;
  const order = orderMerge(commit.slice(0, 12));
  const body = `${branch} and ${base} change the same places: ${listFiles(files)}\n\n${order}`;
  const { entries } = parseJournal(loadStory(paths, storyId).journal);
  const isThis = (it: { kind: string; title: string; body: string }) =>
    it.kind === 'Feedback' && it.title === title && it.body.includes(order);
  const time = new Date().toISOString();
  if (findOpenFeedback(entries).some(isThis)) return 'told';
  if (entries.some(isThis)) {
    const asked = `${body}\n\nA run was told of it and could not mend it.`;
    await appendJournal(paths, storyId, { kind: 'Blocker', title, body: asked, time });
    return 'asked';
  }
  await appendJournal(paths, storyId, { kind: 'Feedback', title, body, time });
  return 'told';
}

/** Returns what a run is told to do about a conflict. */
export const orderMerge = (into: string): string =>
  `Merge ${into} into your branch (git merge ${into}), resolve the conflicts so that both changes keep their meaning, and commit the merge.`;
