import type { Shape } from './labels.ts';

/** Reads the value behind a label. Returns the reason if the value cannot be read. */
export function readValue(text: string, shape: Shape): { value: unknown } | { reason: string } {
  switch (shape) {
    case 'names':
      return { value: readNames(text) };
    case 'command':
      return { value: readCommand(text) };
    case 'flag': {
      const word = text.trim().toLowerCase();
      if (word === 'yes' || word === 'true') return { value: true };
      if (word === 'no' || word === 'false') return { value: false };
      return { reason: `must be yes or no (found ${JSON.stringify(text.trim())})` };
    }
    case 'word':
      return { value: unquote(text.trim()) };
    default:
      return { value: text };
  }
}

/** Reads names with commas between them, or one on each item of a list. `none` stands for no name. */
export function readNames(text: string): string[] {
  if (text.trim().toLowerCase() === 'none') return [];
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const isList = lines.length > 0 && lines.every((line) => LIST_MARK.test(line));
  const parts = isList
    ? lines.map((line) => line.replace(LIST_MARK, ''))
    : splitNames(lines.join(' '));
  return parts.map((part) => unquote(part.trim())).filter((part) => part !== '');
}

const LIST_MARK = /^\s*[-+*]\s+/;

/** Splits at commas that stand outside of braces, brackets and backticks: `src/{a,b}/**` is one glob. */
function splitNames(text: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let isQuoted = false;
  let from = 0;
  for (let at = 0; at < text.length; at++) {
    const char = text[at];
    if (char === '`') isQuoted = !isQuoted;
    else if (isQuoted) continue;
    else if (char === '{' || char === '[') depth++;
    else if (char === '}' || char === ']') depth = Math.max(0, depth - 1);
    else if (char === ',' && depth === 0) {
      parts.push(text.slice(from, at));
      from = at + 1;
    }
  }
  parts.push(text.slice(from));
  return parts;
}

/** Reads a command: in backticks, in a block of code, or as it stands. */
function readCommand(text: string): string {
  const [, fence = '', inside] = /^(`{3,}|~{3,})[^\n]*\n([\s\S]*)$/.exec(text.trim()) ?? [];
  if (inside?.trimEnd().endsWith(fence)) {
    return inside.trimEnd().slice(0, -fence.length).replace(/\n$/, '');
  }
  return unquote(text.trim());
}

/** Removes the backticks of a text that is one span of code. */
function unquote(text: string): string {
  if (!text.startsWith('`')) return text;
  const [, ticks = '', inside = ''] = /^(`+)([\s\S]*[^`])\1$/.exec(text) ?? [];
  if (ticks === '' || runsOf(inside).includes(ticks.length)) return text;
  const isPadded = /^ [\s\S]* $/.test(inside) && inside.trim() !== '';
  return isPadded ? inside.slice(1, -1) : inside;
}

/** Puts a text into backticks, more of them than it has itself. */
export function quoteCode(text: string): string {
  const own = runsOf(text);
  let count = 1;
  while (own.includes(count)) count++;
  const ticks = '`'.repeat(count);
  const padding = text.startsWith('`') || text.endsWith('`') || /^ .* $/.test(text) ? ' ' : '';
  return `${ticks}${padding}${text}${padding}${ticks}`;
}

export const runsOf = (text: string): number[] =>
  [...text.matchAll(/`+/g)].map(([run]) => run.length);
