/** Removes what a terminal or a parser might obey: escape sequences, control and direction characters. */
export function plainText(text: string, { keepLines = false } = {}): string {
  const lines = text.replaceAll(ESCAPES, '').replaceAll(/\r\n?/g, '\n');
  const kept = lines.replaceAll(/[^\P{Cc}\n\t]|[\u202a-\u202e\u2066-\u2069\u2028\u2029]/gu, '');
  return keepLines ? kept : kept.replaceAll(/\s+/g, ' ').trim();
}

const ESCAPES = new RegExp(`${String.fromCharCode(27)}\\[[0-9;?]*[A-Za-z]`, 'g');

const MOST_LINES = 60;

/** Cuts the failing part out of a job's log: the lines before its last error, without the times in front. */
export function cutLog(log: string): string {
  const lines = plainText(log, { keepLines: true })
    .split('\n')
    .map((line) => line.replace(/^\uFEFF?\d{4}-\d\d-\d\dT[\d:.]+Z /, ''));
  const last = lines.findLastIndex((line) => line.includes('##[error]'));
  const end = last === -1 ? lines.length : last + 1;
  return lines
    .slice(Math.max(0, end - MOST_LINES), end)
    .join('\n')
    .trim();
}
