import { plainText } from '../../forge/plain-text.ts';

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
