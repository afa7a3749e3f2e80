import { formatTitle, type JournalEntry } from './journal.ts';

const LEAD = 'SAGA: ';
const LONGEST = 200;

/** Builds the entry in which a worker tells the next run and the reviewer what happened: one line. */
export function buildWorkerNote(text: string, time: string): JournalEntry {
  const line = formatTitle(text);
  const short = line.length > LONGEST ? `${line.slice(0, LONGEST - 1)}…` : line;
  return { kind: 'Note', title: `${LEAD}${short}`, body: '', time };
}

/** Whether a worker wrote the entry. Such entries are no progress of a run. */
export function isWorkerNote({ kind, title }: JournalEntry): boolean {
  return kind === 'Note' && title.startsWith(LEAD);
}
