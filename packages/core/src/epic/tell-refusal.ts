import { type JournalEntry, parseJournal } from '@saga-ai/types/plan/journal';
import { orderMerge } from '../messages/tell-conflict.ts';
import { appendJournal } from '../plan/journal.ts';
import { loadStory } from '../plan/stories.ts';
import { appendOnBranch, readBranchJournal } from './branch-journal.ts';
import type { EpicRun } from './context.ts';

/** Why a story that passed its gate is not in the branch of its epic. */
export interface MergeRefusal {
  why: 'conflict' | 'verify';
  into: string;
  /** In words, with what the verify command printed last. */
  detail: string;
  files: readonly string[];
}

/** Where the journal of a story is: in its files here, or in a fleet on its branch on the remote. */
interface StoryJournal {
  read(): Promise<string>;
  append(entry: JournalEntry): Promise<void>;
}

/** Opens the journal that the next worker of a story reads. */
export function openJournal({ worker, git, base }: EpicRun, storyId: string): StoryJournal {
  const { paths, fence } = worker;
  const place = { git, base, storyId };
  if (fence) {
    return {
      read: async () => (await readBranchJournal(place))?.journal ?? '',
      append: (entry) => appendOnBranch(place, entry),
    };
  }
  return {
    read: async () => loadStory(paths, storyId).journal,
    append: async (entry) => void (await appendJournal(paths, storyId, entry)),
  };
}

/**
 * Tells the story what kept it from being merged. The first time this is feedback, which its next run works on. If the
 * merge fails again after that, it is a question to a person. Returns whether a run is told.
 */
export async function tellRefusal(journal: StoryJournal, refusal: MergeRefusal): Promise<boolean> {
  const title = `Does not merge into ${refusal.into}`;
  const { entries } = parseJournal(await journal.read());
  const wasTold = entries.some((it) => it.kind === 'Feedback' && it.title === title);
  const time = new Date().toISOString();
  if (wasTold) {
    const body = `${refusal.detail}\n\nA run was told of it and could not mend it.`;
    await journal.append({ kind: 'Blocker', title, body, time });
    return false;
  }
  const body = `${refusal.detail}\n\n${ORDERS[refusal.why](refusal.into)}`;
  await journal.append({ kind: 'Feedback', title, body, time });
  return true;
}

const ORDERS: Readonly<Record<MergeRefusal['why'], (into: string) => string>> = {
  conflict: orderMerge,
  verify: (into) =>
    `Your branch contains ${into} now (if not: git merge ${into}). Find out what does not fit together, and correct it.`,
};
