import { buildResolution, formatTitle, type JournalEntry } from './journal.ts';

const LEAD = 'SAGA: ';
const LONGEST = 200;
const TOLD = 'A run was told of this.';

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

/** Builds the entry that closes feedback of which a run was told. */
export function buildToldNote(
  feedback: Pick<JournalEntry, 'title'>,
  what: string,
  time: string,
): JournalEntry {
  return buildResolution(feedback, `${TOLD} ${what}`, time);
}

/** Whether a worker wrote the entry. Such entries are no progress of a run. */
export function isWorkerNote({ kind, title, body }: JournalEntry): boolean {
  if (kind === 'Resolution') return body.startsWith(TOLD);
  return kind === 'Note' && title.startsWith(LEAD);
}
