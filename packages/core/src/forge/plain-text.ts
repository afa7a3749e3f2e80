/** Removes what a terminal or a parser might obey: escape sequences, control and direction characters. */
export function plainText(text: string, { keepLines = false } = {}): string {
  const lines = text.replaceAll(ESCAPES, '').replaceAll(/\r\n?/g, '\n');
  const kept = lines.replaceAll(/[^\P{Cc}\n\t]|[\u202a-\u202e\u2066-\u2069\u2028\u2029]/gu, '');
  return keepLines ? kept : kept.replaceAll(/\s+/g, ' ').trim();
}

const ESCAPES = new RegExp(`${String.fromCharCode(27)}\\[[0-9;?]*[A-Za-z]`, 'g');

/** Quotes what others wrote: every line is marked, so that none can look like a heading or a field of SAGA's own. */
export function quoteText(text: string, most: number, keep: 'start' | 'end' = 'end'): string {
  const whole = plainText(text, { keepLines: true }).trim();
  return cut(whole, most, keep)
    .split('\n')
    .map((line) => `> ${line}`.trimEnd())
    .join('\n');
}

function cut(text: string, most: number, keep: 'start' | 'end'): string {
  if (text.length <= most) return text;
  return keep === 'end' ? `… ${text.slice(-most)}` : `${text.slice(0, most)} …`;
}
