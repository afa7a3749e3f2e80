import { buildResolution, formatTitle, type JournalEntry } from './journal.ts';

const LEAD = 'SAGA: ';
const LONGEST = 200;
const TOLD = 'A run was told of this.';
const COMMITS = 'Its commits: ';
const NO_COMMIT = 'It made no commit.';

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

/** The commits of a run: the one that it began with, and the one that it ended with, if there is one. */
export interface RunCommits {
  from: string;
  to: string | undefined;
}

/** Builds the entry that closes feedback of which a run was told, with the commits of the run. */
export function buildToldNote(
  feedback: Pick<JournalEntry, 'title'>,
  { from, to }: RunCommits,
  time: string,
): JournalEntry {
  const hasNone = to === undefined || to === from;
  const what = hasNone ? NO_COMMIT : `${COMMITS}${shorten(from)}..${shorten(to)}`;
  return buildResolution(feedback, `${TOLD} ${what}`, time);
}

/** Returns the commits that `buildToldNote` wrote, such as `a1b2c3d4e5f6..b2c3d4e5f6a1`. */
export function readToldCommits({ kind, body }: JournalEntry): string | undefined {
  const start = `${TOLD} ${COMMITS}`;
  if (kind !== 'Resolution' || !body.startsWith(start)) return undefined;
  return /^\S+/.exec(body.slice(start.length))?.[0];
}

const shorten = (commit: string) => commit.slice(0, 12);

/** Whether a worker wrote the entry. Such entries are no progress of a run. */
export function isWorkerNote({ kind, title, body }: JournalEntry): boolean {
  if (kind === 'Resolution') return body.startsWith(TOLD);
  return kind === 'Note' && title.startsWith(LEAD);
}
