import type { Span } from '@saga-ai/types/screens/epic-run/spans';
import { formatDuration } from '@saga-ai/types/words/amounts';

const WORDS: readonly [Span['kind'], string][] = [
  ['work', 'worked'],
  ['gate', 'gate'],
  ['merge', 'merge'],
  ['waits', 'waited for you'],
];

/** Returns the time of each kind of span, such as "worked 12m00s, gate 40 s". */
export function describeSpans(spans: readonly Span[], now: number): string {
  return WORDS.flatMap(([kind, word]) => {
    const ms = sumSpans(spans, [kind], now);
    return ms > 0 ? [`${word} ${formatDuration(ms)}`] : [];
  }).join(', ');
}

export function sumSpans(
  spans: readonly Span[],
  kinds: readonly Span['kind'][],
  now: number,
): number {
  return spans
    .filter(({ kind }) => kinds.includes(kind))
    .reduce((sum, { from, to }) => sum + Math.max(0, (to ?? now) - from), 0);
}
