import type { RunEvent } from '@saga-ai/types/run/event';
import { count } from '@saga-ai/types/words/amounts';
import { formatOutputLine } from './gate-report.ts';
import type { Output } from './output.ts';

/** The lines that a verify command printed. */
export function formatOutput(
  { lines, skipped = 0 }: Pick<RunEvent<'gate:output'>, 'lines' | 'skipped'>,
  out: Pick<Output, 'width' | 'paint'>,
): string[] {
  const left = skipped > 0 ? [`… ${count(skipped, 'line')} left out`] : [];
  return [...left, ...lines].map((line) => formatOutputLine(line, out));
}
