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
 * Until it is printed, a colour is one character of the private area: so the printer can remove
 * every control character from a line, wherever it came from, and only our own colours remain.
 */
const FIRST_MARK = 0xf000;
export const MARKS = /[\uf000-\uf07f]/g;

export function createPaint(colour: boolean): Paint {
  return (tone, text) => {
    const codes = CODES[tone];
    if (!colour || !codes || text === '') return text;
    return `${mark(codes[0])}${text}${mark(codes[1])}`;
  };
}

/** The marks as a terminal understands them. */
export function renderMarks(text: string): string {
  return text.replace(MARKS, (char) => `\u001b[${char.charCodeAt(0) - FIRST_MARK}m`);
}

const mark = (code: number) => String.fromCharCode(FIRST_MARK + code);
