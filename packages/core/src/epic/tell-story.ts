import { parseJournal } from '@saga-ai/types/plan/journal';
import { orderMerge } from '../messages/tell-conflict.ts';
import { appendJournal } from '../plan/journal.ts';
import { loadStory } from '../plan/stories.ts';
import type { Paths } from '../project/paths.ts';

/** Why a story that passed its gate is not in the branch of its epic. */
export interface Refusal {
  why: 'conflict' | 'verify';
  into: string;
  /** In words, with what the verify command printed last. */
  detail: string;
  files: readonly string[];
}

/**
 * Tells the story what kept it from being merged. The first time as feedback, which its next run works on; if it
 * fails again after that, as a question to a person. Returns whether a run is told.
 */
export async function tellStory(paths: Paths, storyId: string, refusal: Refusal): Promise<boolean> {
  const title = `Does not merge into ${refusal.into}`;
  const { entries } = parseJournal(loadStory(paths, storyId).journal);
  const wasTold = entries.some((it) => it.kind === 'Feedback' && it.title === title);
  const time = new Date().toISOString();
  if (wasTold) {
    const body = `${refusal.detail}\n\nA run was told of it and could not mend it.`;
    await appendJournal(paths, storyId, { kind: 'Blocker', title, body, time });
    return false;
  }
  const body = `${refusal.detail}\n\n${ORDERS[refusal.why](refusal.into)}`;
  await appendJournal(paths, storyId, { kind: 'Feedback', title, body, time });
  return true;
}

const ORDERS: Readonly<Record<Refusal['why'], (into: string) => string>> = {
  conflict: orderMerge,
  verify: (into) =>
    `Your branch contains ${into} now (if not: git merge ${into}). Find out what does not fit together, and correct it.`,
};
