import { formatJournalEntry, type JournalEntry, parseJournal } from './journal.ts';

export interface SettledJournal {
  /** The journal as it must be now. */
  text: string;
  /** True if entries that were there before the run were changed, moved or removed. */
  isRewritten: boolean;
  /** Entries of kinds that only people write, and that no person wrote. */
  dropped: JournalEntry[];
}

/**
 * Decides what a journal contains after a run: all entries that were there before, and then the new ones.
 * `isOfPerson` says whether a person wrote a Resolution or Feedback during the run.
 */
export function settleJournal(
  before: string,
  after: string,
  isOfPerson: (entry: JournalEntry) => boolean,
): SettledJournal {
  const [then, now] = [parseJournal(before), parseJournal(after)];
  const isRewritten =
    then.preamble !== now.preamble ||
    then.entries.some((entry, index) => !isSame(entry, now.entries[index]));
  const left = then.entries.map(formatJournalEntry);
  const added = now.entries.filter((entry) => {
    const at = left.indexOf(formatJournalEntry(entry));
    if (at !== -1) left.splice(at, 1);
    return at === -1;
  });
  const dropped = added.filter((entry) => isForPeople(entry) && !isOfPerson(entry));
  if (!isRewritten && dropped.length === 0) return { text: after, isRewritten, dropped };
  const kept = added.filter((entry) => !dropped.includes(entry)).map(formatJournalEntry);
  const start = before.trimEnd();
  const parts = start === '' ? kept : [`${start}\n`, ...kept];
  return { text: parts.join('\n'), isRewritten, dropped };
}

/** Whether a run may not write entries of this kind. People write them, and workers write them to close feedback. */
export const isForPeople = ({ kind }: Pick<JournalEntry, 'kind'>): boolean =>
  kind === 'Resolution' || kind === 'Feedback';

const isSame = (a: JournalEntry, b: JournalEntry | undefined): boolean =>
  b !== undefined && formatJournalEntry(a) === formatJournalEntry(b);
