/** Colour means state, and a glyph always says the same. */
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
 * Until it is printed, a colour is a mark that holds a secret of this process. So the printer can
 * remove every control character from a line, wherever it came from, and only our own colours remain:
 * a text that was written before cannot know the secret.
 */
const SECRET = Math.random().toString(36).slice(2) + Math.random().toString(36).slice(2);
export const mark = (code: number) => `\ufdd0${SECRET}${code}\ufdd1`;

/** One mark, with its code. */
export const MARK = new RegExp(mark(0).replace('0\ufdd1', '(\\d+)\ufdd1'), 'g');

export function createPaint(colour: boolean): Paint {
  return (tone, text) => {
    const codes = CODES[tone];
    if (!colour || !codes || text === '') return text;
    return `${mark(codes[0])}${text}${mark(codes[1])}`;
  };
}

export const hasMarks = (text: string): boolean => text.includes(SECRET);

/** A mark as a terminal understands it. */
export const renderMark = (code: string): string => `\u001b[${code}m`;
