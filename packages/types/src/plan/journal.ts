export const JOURNAL_KINDS = [
  'Decision',
  'Diversion',
  'Blocker',
  'Resolution',
  'Learning',
  'Feedback',
  'Note',
] as const;
export type JournalKind = (typeof JOURNAL_KINDS)[number];

export interface JournalEntry {
  kind: JournalKind;
  title: string;
  body: string;
  /** ISO time. It is missing if a person wrote the entry without one. */
  time?: string;
  /** Of a Resolution: the id of the entry that it closes. It is missing if a person wrote the Resolution by hand. */
  resolves?: string;
}

/** An entry as it stands in a journal. */
export interface ReadEntry extends JournalEntry {
  /** Its time and a digest of its words. No other entry of the journal has the same. */
  id: string;
}

export interface Journal {
  /** The text before the first entry. */
  preamble: string;
  entries: ReadEntry[];
}

export const JOURNAL_FILE = 'journal.md';

const ISO_TIME = String.raw`\d{4}-\d{2}-\d{2}T[\d:.]+(?:Z|[+-]\d{2}:?\d{2})?`;
const KINDS = JOURNAL_KINDS.join('|');
const HEADING = new RegExp(`^## (?:(${ISO_TIME}) )?(${KINDS}): *(.*?) *$`);
/** A line of a body that looks like a heading gets a backslash, which Markdown does not show. */
const LOOKS_LIKE_HEADING = new RegExp(`^\\\\*## (?:${ISO_TIME} )?(?:${KINDS}):`);
const UNDATED = 'undated';
/** The line of a Resolution that names what it closes. It may stand anywhere in the body, because people edit. */
const NAMES = new RegExp(`^Resolves: ((?:${ISO_TIME}|${UNDATED})-[0-9a-f]{8}(?:-\\d+)?)\\s*$`);

/**
 * Parses a journal that people and models have written. It ignores code fences on purpose: an unclosed
 * fence would hide every blocker after it.
 */
export function parseJournal(text: string): Journal {
  const journal: Journal = { preamble: '', entries: [] };
  let lines: string[] = [];
  const close = () => {
    const entry = journal.entries.at(-1);
    if (entry?.kind === 'Resolution') {
      const at = lines.findLastIndex((line) => NAMES.test(line));
      const [, name] = NAMES.exec(lines[at] ?? '') ?? [];
      if (name !== undefined) {
        entry.resolves = name;
        lines.splice(at, 1);
      }
    }
    const body = trimBlankLines(lines);
    if (entry) entry.body = body;
    else journal.preamble = body;
    lines = [];
  };
  for (const line of text.split(/\r?\n/)) {
    const heading = HEADING.exec(line);
    if (!heading) {
      lines.push(LOOKS_LIKE_HEADING.test(line) ? line.slice(1) : line);
      continue;
    }
    close();
    const [, time, kind, title = ''] = heading;
    const entry: ReadEntry = { id: '', kind: kind as JournalKind, title, body: '' };
    journal.entries.push(time === undefined ? entry : { ...entry, time });
  }
  close();
  const counts = new Map<string, number>();
  for (const entry of journal.entries) {
    const id = idOf(entry);
    const nth = (counts.get(id) ?? 0) + 1;
    counts.set(id, nth);
    entry.id = nth === 1 ? id : `${id}-${nth}`;
  }
  return journal;
}

/**
 * Returns the id of an entry: its time and a digest of its words. It is not written into the entry, so entries that
 * people and runs write have one as well. Of entries that are equal in both, the second gets the number 2, and so on.
 */
export function idOf({ kind, title, body, time = UNDATED, resolves = '' }: JournalEntry): string {
  const words = trimBlankLines(body.split(/\r?\n/).map((line) => line.trimEnd()));
  return `${time}-${digest([kind, formatTitle(title), resolves, words].join('\n'))}`;
}

/** A digest that tells entries apart that somebody wrote (FNV-1a). The time before it does the rest. */
function digest(text: string): string {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) {
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  }
  return (hash >>> 0).toString(16).padStart(8, '0');
}

/**
 * Returns the entry with this id. An entry that somebody edited has another digest now; it is known by its time, if no
 * other has the same.
 */
export function findEntry(entries: readonly ReadEntry[], id: string): ReadEntry | undefined {
  const found = entries.find((it) => it.id === id);
  if (found) return found;
  const time = id.replace(/-[0-9a-f]{8}(?:-\d+)?$/, '');
  const [edited, ...others] = entries.filter((it) => it.time === time && isClosable(it));
  return others.length === 0 ? edited : undefined;
}

const isClosable = ({ kind }: JournalEntry) =>
  kind === 'Blocker' || kind === 'Feedback' || kind === 'Resolution';

/** Formats one entry for the end of the journal. */
export function formatJournalEntry(entry: JournalEntry): string {
  const time = entry.time === undefined ? '' : `${entry.time} `;
  const heading = `## ${time}${entry.kind}: ${formatTitle(entry.title)}`.trimEnd();
  const body = trimBlankLines(
    entry.body.split(/\r?\n/).map((line) => (LOOKS_LIKE_HEADING.test(line) ? `\\${line}` : line)),
  );
  const name = entry.resolves === undefined ? '' : `Resolves: ${entry.resolves}`;
  return `${[heading, body, name].filter((it) => it !== '').join('\n\n')}\n`;
}

/** Joins a title into one line, because a heading is one line. */
export function formatTitle(title: string): string {
  return title.replace(/\s+/g, ' ').trim();
}

/**
 * Finds the Resolution of each entry that is closed. A Resolution closes the entry that it names and no other; a
 * question that was asked again in the same words is the same question. One that names none, because a person wrote it
 * by hand, closes the earlier entries of its title.
 */
export function pairResolutions(entries: readonly ReadEntry[]): Map<ReadEntry, ReadEntry> {
  const closed = new Map<ReadEntry, ReadEntry>();
  for (const [index, resolution] of entries.entries()) {
    if (resolution.kind !== 'Resolution') continue;
    for (const entry of listNamed(entries, index)) {
      if (!closed.has(entry)) closed.set(entry, resolution);
    }
  }
  return closed;
}

/** Lists what the Resolution at an index is about. */
export function listNamed(entries: readonly ReadEntry[], index: number): ReadEntry[] {
  const { title = '', resolves } = entries[index] ?? {};
  const earlier = entries.slice(0, index).filter((it) => isClosable(it));
  if (resolves === undefined) {
    return earlier.filter((it) => it.kind !== 'Resolution' && sameTitle(it.title, title));
  }
  const named = findEntry(entries, resolves);
  if (named?.kind !== 'Blocker') return named ? [named] : [];
  return [named, ...earlier.filter((it) => isSameQuestion(it, named))];
}

const isSameQuestion = (a: JournalEntry, b: JournalEntry) =>
  a.kind === 'Blocker' && sameTitle(a.title, b.title) && a.body === b.body;

/** Returns the blockers that are not resolved, oldest first. The same words twice are one question. */
export function findOpenBlockers(entries: readonly ReadEntry[]): ReadEntry[] {
  const closed = pairResolutions(entries);
  const open = entries.filter((it) => it.kind === 'Blocker' && !closed.has(it));
  return open.filter((it, index) => open.findIndex((one) => isSameQuestion(one, it)) === index);
}

/** Returns the feedback that is not resolved, oldest first: no run was told it yet. */
export function findOpenFeedback(entries: readonly ReadEntry[]): ReadEntry[] {
  const closed = pairResolutions(entries);
  return entries.filter((it) => it.kind === 'Feedback' && !closed.has(it));
}

/** Builds the entry that resolves a blocker, or that closes what a run was told. */
export function buildResolution(
  { title, id }: Pick<ReadEntry, 'title' | 'id'>,
  body: string,
  time: string,
): JournalEntry {
  return { kind: 'Resolution', title, body, time, resolves: id };
}

const LONGEST_TITLE = 72;

/** Builds a Feedback entry. Its title is the beginning of the text; the body is the text if the title is not all of it. */
export function buildFeedback(text: string, time: string): JournalEntry {
  const whole = text.trim();
  const [first = ''] = whole.split(/\r?\n/);
  const line = formatTitle(first);
  const letters = [...line];
  const isLong = letters.length > LONGEST_TITLE;
  const kept = letters.slice(0, LONGEST_TITLE - 1).join('');
  const title = isLong ? `${kept.trimEnd()}…` : line;
  return { kind: 'Feedback', title, body: title === whole ? '' : whole, time };
}

function sameTitle(a: string, b: string): boolean {
  return formatTitle(a).toLowerCase() === formatTitle(b).toLowerCase();
}

function trimBlankLines(lines: readonly string[]): string {
  let start = 0;
  let end = lines.length;
  while (start < end && lines[start]?.trim() === '') start++;
  while (end > start && lines[end - 1]?.trim() === '') end--;
  return lines.slice(start, end).join('\n');
}

/** Returns the text of a journal with one more entry, after a blank line. */
export function addToJournal(text: string, entry: JournalEntry): string {
  const gap = text === '' || text.endsWith('\n\n') ? '' : text.endsWith('\n') ? '\n' : '\n\n';
  return `${text}${gap}${formatJournalEntry(entry)}`;
}
