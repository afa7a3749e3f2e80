/** A colour shows a state. A glyph always shows the same state, for readers without colours. */
export type Tone = 'done' | 'running' | 'waiting' | 'needs-you' | 'quiet' | 'strong' | 'plain';

const CODES: Record<Tone, [on: number, off: number] | undefined> = {
  done: [32, 39],
  running: [34, 39],
  waiting: [33, 39],
  'needs-you': [31, 39],
  quiet: [90, 39],
  strong: [1, 22],
  plain: undefined,
};

export type Paint = (tone: Tone, text: string) => string;

/**
 * Until a text is printed, a colour in it is a mark that contains a random secret of this process. The
 * printer removes every control character and then turns marks into colours. A text from a file cannot
 * contain the secret, so only our own colours reach the terminal.
 */
const SECRET = Math.random().toString(36).slice(2) + Math.random().toString(36).slice(2);
export const mark = (code: number) => `\ufdd0${SECRET}${code}\ufdd1`;

/** Matches one mark; the group is its code. */
export const MARK = new RegExp(mark(0).replace('0\ufdd1', '(\\d+)\ufdd1'), 'g');

export function createPaint(colour: boolean): Paint {
  return (tone, text) => {
    const codes = CODES[tone];
    if (!colour || !codes || text === '') return text;
    return `${mark(codes[0])}${text}${mark(codes[1])}`;
  };
}

export const hasMarks = (text: string): boolean => text.includes(SECRET);

/** Returns the escape sequence for a mark. */
export const renderMark = (code: string): string => `\u001b[${code}m`;
