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
}

export interface Journal {
  /** The text before the first entry. */
  preamble: string;
  entries: JournalEntry[];
}

export const JOURNAL_FILE = 'journal.md';

const ISO_TIME = String.raw`\d{4}-\d{2}-\d{2}T[\d:.]+(?:Z|[+-]\d{2}:?\d{2})?`;
const KINDS = JOURNAL_KINDS.join('|');
const HEADING = new RegExp(`^## (?:(${ISO_TIME}) )?(${KINDS}): *(.*?) *$`);
/** A line of a body that looks like a heading gets a backslash, which Markdown does not show. */
const LOOKS_LIKE_HEADING = new RegExp(`^\\\\*## (?:${ISO_TIME} )?(?:${KINDS}):`);

/**
 * Parses a journal that people and models have written. It ignores code fences on purpose: an unclosed
 * fence would hide every blocker after it.
 */
export function parseJournal(text: string): Journal {
  const journal: Journal = { preamble: '', entries: [] };
  let lines: string[] = [];
  const close = () => {
    const body = trimBlankLines(lines);
    const entry = journal.entries.at(-1);
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
    const entry: JournalEntry = { kind: kind as JournalKind, title, body: '' };
    journal.entries.push(time === undefined ? entry : { ...entry, time });
  }
  close();
  return journal;
}

/** Formats one entry for the end of the journal. */
export function formatJournalEntry(entry: JournalEntry): string {
  const time = entry.time === undefined ? '' : `${entry.time} `;
  const heading = `## ${time}${entry.kind}: ${formatTitle(entry.title)}`.trimEnd();
  const body = trimBlankLines(
    entry.body.split(/\r?\n/).map((line) => (LOOKS_LIKE_HEADING.test(line) ? `\\${line}` : line)),
  );
  return body === '' ? `${heading}\n` : `${heading}\n\n${body}\n`;
}

/** Joins a title into one line, because a heading is one line. */
export function formatTitle(title: string): string {
  return title.replace(/\s+/g, ' ').trim();
}

/** Returns the blockers without a later Resolution of the same title, oldest first. */
export function findOpenBlockers(entries: readonly JournalEntry[]): JournalEntry[] {
  let open: JournalEntry[] = [];
  for (const entry of entries) {
    if (entry.kind === 'Resolution') {
      open = open.filter((blocker) => !sameTitle(blocker.title, entry.title));
    } else if (entry.kind === 'Blocker' && !open.some((it) => sameTitle(it.title, entry.title))) {
      open.push(entry);
    }
  }
  return open;
}

/** Returns the feedback without a later Resolution of the same title, oldest first: no run was told it yet. */
export function findOpenFeedback(entries: readonly JournalEntry[]): JournalEntry[] {
  let open: JournalEntry[] = [];
  for (const entry of entries) {
    if (entry.kind === 'Feedback') open.push(entry);
    else if (entry.kind === 'Resolution') {
      open = open.filter((feedback) => !sameTitle(feedback.title, entry.title));
    }
  }
  return open;
}

/** Returns the Resolutions that answer a question. Those that only close feedback are left out. */
export function findAnswers(entries: readonly JournalEntry[]): JournalEntry[] {
  return entries.filter((entry, index) => {
    if (entry.kind !== 'Resolution') return false;
    const earlier = entries.slice(0, index).filter((it) => sameTitle(it.title, entry.title));
    const closesFeedback = earlier.some((it) => it.kind === 'Feedback');
    return !closesFeedback || earlier.some((it) => it.kind === 'Blocker');
  });
}

/** Builds the entry that resolves a blocker or closes feedback. */
export function buildResolution(
  { title }: Pick<JournalEntry, 'title'>,
  body: string,
  time: string,
): JournalEntry {
  return { kind: 'Resolution', title, body, time };
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
