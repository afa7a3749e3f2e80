import { buildFeedback, type JournalEntry } from '@saga-ai/types/plan/journal';
import { cleanMessage } from '@saga-ai/types/run/message';

/** A remark on a line, with the line itself. */
export interface QuotedRemark {
  path: string;
  line: number;
  /** True if the change removed the line. */
  isRemoved: boolean;
  /** The text of the line. Undefined if it cannot be read. */
  quoted: string | undefined;
  text: string;
}

const LONGEST_QUOTE = 200;
/** The longest path in a title, so that there is room for the remark. */
const LONGEST_PLACE = 40;

/** Formats a remark: where, what, and the line as a quotation. A run wrote path and line, so both are cleaned. */
export function formatRemark({ path, line, isRemoved, quoted, text }: QuotedRemark): string {
  const name = toOneLine(path);
  const place = `${name}:${line}${isRemoved ? ' (removed)' : ''}`;
  const isLong = place.length > LONGEST_PLACE;
  const short = isLong ? `…${place.slice(1 - LONGEST_PLACE)}` : place;
  const shown = quoted === undefined ? '' : cut(toOneLine(quoted));
  const intro = isLong || shown !== '' ? `The line, in ${name}:` : '';
  const quotation = shown === '' ? [] : [intro, `> ${shown}`];
  return [`${short}: ${cleanMessage(text)}`, ...(quotation.length > 0 ? quotation : [intro])]
    .filter((part) => part !== '')
    .join('\n\n');
}

/** Builds the Feedback for a remark. */
export const buildRemark = (remark: QuotedRemark, time: string): JournalEntry =>
  buildFeedback(formatRemark(remark), time);

export interface LinePlace {
  path: string;
  line: number;
}

/** Parses a place such as `src/a.ts:12`. Returns undefined if the text is not a place. */
export function parseLinePlace(text: string): LinePlace | undefined {
  const [, path, line] = /^(?:\.\/)?(.+):([1-9]\d{0,8})$/s.exec(text) ?? [];
  return path === undefined ? undefined : { path, line: Number(line) };
}

const toOneLine = (text: string) => cleanMessage(text).replaceAll(/\s+/g, ' ');

const cut = (text: string) =>
  text.length > LONGEST_QUOTE ? `${text.slice(0, LONGEST_QUOTE - 1)}…` : text;
