import { openOwnJournal, orderMerge } from '../messages/tell-conflict.ts';
import { type StoryJournal, tellRefusedMerge } from '../messages/tell-refused-merge.ts';
import { appendOnBranch, readBranchJournal } from './branch-journal.ts';
import type { EpicRun } from './context.ts';

/** Why a story that passed its gate is not in the branch of its epic. */
export interface MergeRefusal {
  why: 'conflict' | 'verify';
  into: string;
  /** In words, with what the verify command printed last. */
  detail: string;
  files: readonly string[];
  /** The commits that were tried: of the epic's branch, and of the story's. */
  head: string;
  tip: string;
}

/** Opens the journal that the next worker of a story reads: in its files here, or in a fleet on its branch on the remote. */
export function openJournal({ worker, git, base }: EpicRun, storyId: string): StoryJournal {
  const { paths, fence } = worker;
  if (!fence) return openOwnJournal(paths, storyId);
  const place = { git, base, storyId };
  return {
    read: async () => (await readBranchJournal(place))?.journal ?? '',
    append: (entry) => appendOnBranch(place, entry),
  };
}

/** Tells the story what kept it from being merged. Returns whether a run is told, and not a person asked. */
export async function tellRefusal(
  journal: StoryJournal,
  { why, into, detail, head, tip }: MergeRefusal,
): Promise<boolean> {
  const title = `Does not merge into ${into}`;
  const order = ORDERS[why](into);
  return (await tellRefusedMerge(journal, { why, title, detail, order, head, tip })) === 'told';
}

const ORDERS: Readonly<Record<MergeRefusal['why'], (into: string) => string>> = {
  conflict: orderMerge,
  verify: (into) =>
    `Your branch contains ${into} now (if not: git merge ${into}). Find out what does not fit together, and correct it.`,
};
