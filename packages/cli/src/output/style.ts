/** Colour means state, and a glyph always says the same. */
export type Tone = 'done' | 'running' | 'waiting' | 'needs-you' | 'quiet' | 'strong' | 'plain';

const CODES: Record<Tone, [number, number] | undefined> = {
  done: [32, 39],
  running: [34, 39],
  waiting: [33, 39],
  'needs-you': [31, 39],
  quiet: [90, 39],
  strong: [1, 22],
  plain: undefined,
};

export type Paint = (tone: Tone, text: string) => string;

export function createPaint(colour: boolean): Paint {
  return (tone, text) => {
    const codes = CODES[tone];
    return colour && codes && text !== '' ? `\u001b[${codes[0]}m${text}\u001b[${codes[1]}m` : text;
  };
}
