import { hasMarks, MARK, mark, renderMark } from './style.ts';
import { measureWidth, splitCharacters } from './width.ts';

/** Control characters, changes of text direction, and the noncharacters that marks consist of. */
const STEERING =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is removed
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069\ufdd0-\ufdef]/g;
const MARK_OR_STEERING = new RegExp(`${MARK.source}|${STEERING.source}`, 'g');

/** Removes control characters. A model may have written the text, and it must not control the terminal. */
export function clean(text: string): string {
  return hasMarks(text) ? keepMarks(text, (it) => it) : text.replace(STEERING, '');
}

/** The last step before printing: removes every control character and turns marks into colours. */
export function render(text: string): string {
  return keepMarks(text, (_, code) => renderMark(code));
}

function keepMarks(text: string, toText: (mark: string, code: string) => string): string {
  return text.replace(MARK_OR_STEERING, (found: string, code?: string) =>
    code === undefined ? '' : toText(found, code),
  );
}

/** Matches anything but printable ASCII and single spaces. Most texts do not match, which saves time. */
const UNUSUAL = /[^\x20-\x7e]| {2}|^ | $/;

/** Like `clean`, and joins the lines into one. */
export function cleanLine(text: string): string {
  if (!UNUSUAL.test(text)) return text;
  return clean(text.replace(/\s+/g, ' ')).replace(/ {2,}/g, ' ').trim();
}

/** Returns the number of columns that a text takes on a terminal. Colours take none. */
export function measure(text: string): number {
  return measureWidth(hasMarks(text) ? text.replace(MARK, '') : text);
}

export function pad(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - measure(text)));
}

/** Shortens a text to a width, with an ellipsis. All marks stay, because later ones end earlier colours. */
export function cut(text: string, width: number): string {
  if (width <= 0) return '';
  if (measure(text) <= width) return text;
  let kept = '';
  let left = width - 1;
  for (const [i, part] of text.split(MARK).entries()) {
    if (i % 2 === 1) kept += mark(Number(part));
    else if (left >= 0) {
      const { fitting, rest } = take(part, left);
      left = rest;
      kept += left < 0 ? `${fitting.trimEnd()}…` : fitting;
    }
  }
  return kept;
}

/** Cuts a plain text like `cut`, but keeps its end. */
export function cutStart(text: string, width: number): string {
  const backwards = cut(splitCharacters(text).reverse().join(''), width);
  return splitCharacters(backwards).reverse().join('');
}

/** Returns the characters that fit and the width that is left; `rest` is -1 if not all of them fit. */
function take(text: string, width: number): { fitting: string; rest: number } {
  let fitting = '';
  let rest = width;
  for (const character of splitCharacters(text)) {
    const next = measureWidth(character);
    if (next > rest) return { fitting, rest: -1 };
    fitting += character;
    rest -= next;
  }
  return { fitting, rest };
}

/**
 * Puts a text behind its head. The part that does not fit follows below, indented to the start of the text or by
 * `indent` columns. If the width is infinite, the text stays on one line.
 */
export function hang(
  head: string,
  text: string,
  width: number,
  indent: number = measure(head),
): string[] {
  if (text === '') return head.trim() === '' ? [] : [head.trimEnd()];
  if (measure(head) + measure(text) <= width) return [`${head}${text}`.trimEnd()];
  const lines = wrap(text, width - Math.max(measure(head), indent));
  return lines.map((line, i) => `${i === 0 ? head : ' '.repeat(indent)}${line}`);
}

/** Breaks long lines at spaces. Line breaks in the text stay. */
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
