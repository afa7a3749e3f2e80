import { formatTitle, type JournalEntry } from './journal.ts';

const LEAD = 'SAGA: ';
const LONGEST = 200;

/** Builds the entry in which a worker tells the next run and the reviewer what happened: one line. */
export function buildWorkerNote(text: string, time: string): JournalEntry {
  const line = formatTitle(text);
  const short = line.length > LONGEST ? `${line.slice(0, LONGEST - 1)}…` : line;
  return { kind: 'Note', title: `${LEAD}${short}`, body: '', time };
}

/** Builds the entry about a message that a person sent and a run has read. */
export function buildMessageNote(from: string, text: string, time: string): JournalEntry {
  const note = buildWorkerNote(`${from} said to the run: ${text}`, time);
  const isWhole = note.title.endsWith(formatTitle(text)) && !text.includes('\n');
  return isWhole ? note : { ...note, body: text };
}

/** Whether a worker wrote the entry. Such entries are no progress of a run. */
export function isWorkerNote({ kind, title }: JournalEntry): boolean {
  return kind === 'Note' && title.startsWith(LEAD);
}
