import type { DraftView, FollowUp } from '@saga-ai/types/plan/follow-up';
import { formatAgo } from '@saga-ai/types/words/times';
import type { Output } from '../../output/output.ts';
import { type Cell, formatRows } from '../../output/rows.ts';
import { clean, cleanLine, hang } from '../../output/text.ts';

/** One line for each draft. */
export function formatDrafts(drafts: readonly DraftView[], out: Output): string[] {
  return formatRows(
    drafts.map(({ number, title, from, time, state }): Cell[] => [
      { text: String(number), isFigure: true },
      { text: cleanLine(title), tone: 'strong', flexible: true },
      { text: `by a run of ${from}`, tone: 'quiet' },
      { text: formatAgo(time, Date.now()), tone: 'quiet' },
      { text: state === 'open' ? '' : state, tone: 'quiet' },
    ]),
    out,
  );
}

/** A draft in full. Its text comes from a run, so nothing in it may steer the terminal. */
export function formatDraft({ from, time, text, faults }: FollowUp, out: Output): string[] {
  return [
    ...clean(text).trimEnd().split('\n'),
    '',
    out.paint('quiet', `Proposed by a run of ${from}, ${formatAgo(time, Date.now())}.`),
    ...faults.flatMap((fault) =>
      hang(`${out.paint('needs-you', '✗')} `, cleanLine(fault), out.width),
    ),
  ];
}
