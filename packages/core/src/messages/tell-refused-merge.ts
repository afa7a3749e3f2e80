import { type JournalEntry, pairResolutions, parseJournal } from '@saga-ai/types/plan/journal';
import { findAnswers, findUntold, isWorkerNote } from '@saga-ai/types/plan/worker-notes';

/** A merge of a story's branch and another one that failed. */
export interface RefusedMerge {
  why: 'conflict' | 'verify';
  /** What the journal calls it, such as `Does not merge into epic/shop`. */
  title: string;
  /** Its first line is the same if the merge of the same commits fails again in the same way. */
  detail: string;
  /** What a run is told to do about it. */
  order: string;
  /** The commits that were tried: of the other branch, and of the story's. */
  head: string;
  tip: string;
}

/** The journal of a story that the next worker of the story reads. */
export interface StoryJournal {
  read(): Promise<string>;
  append(entry: JournalEntry): Promise<void>;
}

/** told: the next run is told, by this call or an earlier one. asked: it waits for a person. */
export type ToldConflict = 'told' | 'asked';

/**
 * Tells a story that it cannot be merged: as feedback, which its next run works on. If a run was told of this very merge
 * and it fails all the same, a person is asked; their answer goes to a run before anybody is asked again.
 */
export async function tellRefusedMerge(
  journal: StoryJournal,
  refused: RefusedMerge,
): Promise<ToldConflict> {
  const next = decideTold(await journal.read(), refused);
  if (typeof next === 'string') return next;
  await journal.append({ ...next, time: new Date().toISOString() });
  return next.kind === 'Blocker' ? 'asked' : 'told';
}

function decideTold(text: string, refused: RefusedMerge): ToldConflict | JournalEntry {
  const { title, detail, order, why, head, tip } = refused;
  const { entries } = parseJournal(text);
  const closed = pairResolutions(entries);
  const mine = entries.filter((it) => isAbout(it, refused));
  const answers = findAnswers(entries).filter((it) => it.question && mine.includes(it.question));
  const { feedback } = findUntold(entries);
  if (mine.some((it) => feedback.includes(it)) || answers.some((it) => !it.isTold)) return 'told';
  if (mine.some((it) => it.kind === 'Blocker' && !closed.has(it))) return 'asked';
  const tried = `Tried: ${cut(head)} with ${cut(tip)} (${why})`;
  const wasTold = mine.some((it) => {
    const by = closed.get(it);
    return it.kind === 'Feedback' && by !== undefined && isWorkerNote(by);
  });
  const last = answers.at(-1)?.resolution;
  if (!wasTold && !last) {
    return { kind: 'Feedback', title, body: `${detail}\n\n${order}\n\n${tried}` };
  }
  const help = last
    ? `A run was told your answer, and it did not help: ${quoteWords(last.body)} (${last.id})`
    : 'A run was told of it and could not mend it.';
  return { kind: 'Blocker', title, body: `${detail}\n\n${help}\n\n${tried}` };
}

/**
 * Whether an entry is about this merge: the other branch was where it is now, and what failed is the same. The story's
 * branch has moved since, because a run worked on it.
 */
function isAbout({ kind, title, body }: JournalEntry, refused: RefusedMerge): boolean {
  if (title !== refused.title || (kind !== 'Feedback' && kind !== 'Blocker')) return false;
  const [, head, why] = [...body.matchAll(TRIED)].at(-1) ?? [];
  const isSame = refused.why === 'verify' || firstLine(body) === firstLine(refused.detail);
  return head === cut(refused.head) && why === refused.why && isSame;
}

const TRIED = /^Tried: ([0-9a-f]{12}) with [0-9a-f]{12} \((conflict|verify)\)$/gm;

const cut = (commit: string) => commit.slice(0, 12);
const firstLine = (text: string) => text.split('\n', 1)[0];

const LONGEST = 200;

function quoteWords(text: string): string {
  const letters = [...text.replace(/\s+/g, ' ').trim()];
  const words = letters.slice(0, LONGEST).join('');
  return `"${words}${letters.length > LONGEST ? '…' : ''}"`;
}
