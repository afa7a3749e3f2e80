import {
  buildResolution,
  findOpenFeedback,
  formatTitle,
  type JournalEntry,
  listNamed,
  pairResolutions,
  type ReadEntry,
} from './journal.ts';

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

/** Builds the entry that closes feedback or an answer of which a run was told, with the commits of the run. */
export function buildToldNote(
  told: Pick<ReadEntry, 'title' | 'id'>,
  { from, to }: RunCommits,
  time: string,
): JournalEntry {
  const hasNone = to === undefined || to === from;
  const what = hasNone ? NO_COMMIT : `${COMMITS}${shorten(from)}..${shorten(to)}`;
  return buildResolution(told, `${TOLD} ${what}`, time);
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

/** A person's answer to a question of a run. */
export interface Answer {
  resolution: ReadEntry;
  /** The question. It is missing if the journal does not have it any more. */
  question?: ReadEntry;
  /** A run was told the answer. */
  isTold: boolean;
}

/** Returns the answers of people, oldest first. What only closes feedback, or says what a run was told, is none. */
export function findAnswers(entries: readonly ReadEntry[]): Answer[] {
  const closed = pairResolutions(entries);
  return entries.flatMap((resolution, index) => {
    if (resolution.kind !== 'Resolution' || isWorkerNote(resolution)) return [];
    const named = listNamed(entries, index);
    const question = named.findLast((it) => it.kind === 'Blocker');
    if (!question && named.length > 0) return [];
    return { resolution, question, isTold: closed.has(resolution) };
  });
}

/** Returns what no run was told yet: feedback and answers. Each is work, also if every task is completed. */
export function findUntold(entries: readonly ReadEntry[]): {
  feedback: ReadEntry[];
  answers: ReadEntry[];
} {
  const untold = findAnswers(entries).filter((it) => !it.isTold);
  return { feedback: findOpenFeedback(entries), answers: untold.map((it) => it.resolution) };
}
