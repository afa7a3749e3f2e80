import { MARKS } from './style.ts';

/** Text from files may be written by a model: nothing in it may steer the terminal. */
export function clean(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is removed
  return text.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g, '');
}

/** Anything but printable ASCII, and runs of spaces: texts without them are the rule. */
const UNUSUAL = /[^\x20-\x7e]| {2}|^ | $/;

/** The same on one line. */
export function cleanLine(text: string): string {
  if (!UNUSUAL.test(text)) return text;
  return clean(text.replace(/\s+/g, ' ')).trim();
}

const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|[\u{1f300}-\u{1f64f}\u{1f680}-\u{1faff}\u{20000}-\u{3fffd}]/u;
const NOT_ASCII = /[^\x20-\x7e]/;
const ZERO = /[\p{Mn}\p{Me}\p{Cf}]/u;

/** Columns a text takes on a terminal. */
export function measure(text: string): number {
  if (!NOT_ASCII.test(text)) return text.length;
  let width = 0;
  for (const char of text.replace(MARKS, ''))
    width += ZERO.test(char) ? 0 : WIDE.test(char) ? 2 : 1;
  return width;
}

export function pad(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - measure(text)));
}

/** Shortens an uncoloured text to a width, with an ellipsis. */
export function cut(text: string, width: number): string {
  if (width <= 0) return '';
  if (measure(text) <= width) return text;
  let kept = '';
  let used = 0;
  for (const char of text) {
    const next = measure(char);
    if (used + next > width - 1) break;
    kept += char;
    used += next;
  }
  return `${kept.trimEnd()}…`;
}

/** Breaks text at spaces; its own line breaks stay. */
export function wrap(text: string, width: number): string[] {
  return clean(text)
    .split('\n')
    .flatMap((line) => wrapLine(line.trimEnd(), Math.max(20, width)));
}

function wrapLine(line: string, width: number): string[] {
  const lines: string[] = [];
  const indent = /^\s*/.exec(line)?.[0] ?? '';
  let current = '';
  for (const word of line.trim().split(/ +/)) {
    const candidate = current === '' ? indent + word : `${current} ${word}`;
    if (current !== '' && measure(candidate) > width) {
      lines.push(current);
      current = indent + word;
    } else current = candidate;
  }
  return [...lines, current];
}
