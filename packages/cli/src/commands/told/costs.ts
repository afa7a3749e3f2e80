import { PRICES_OF } from '@saga-ai/core/agents/claude/stream/price';
import { SagaError } from '@saga-ai/core/errors';
import { readEpics } from '@saga-ai/core/plan/epics';
import type { Paths } from '@saga-ai/core/project/paths';
import { loadSessionRecords } from '@saga-ai/core/records/session-records';
import {
  COST_GROUPS,
  type CostGroup,
  type CostQuestion,
  type CostRow,
  deriveCosts,
  sumRows,
} from '@saga-ai/types/screens/costs';
import type { CostsJson } from '@saga-ai/types/screens/json/told';
import { count, formatDollars, formatTokens } from '@saga-ai/types/words/amounts';
import { readMoment } from '@saga-ai/types/words/read-span';
import type { Command } from '../../command.ts';
import type { Output } from '../../output/output.ts';
import { type Cell, formatRows } from '../../output/rows.ts';
import { wrap } from '../../output/text.ts';

export const command: Command<CostsJson> = {
  output: () => import('@saga-ai/types/screens/json/told').then((it) => it.CostsJson),
  options: {
    by: { type: 'text', value: 'WHAT', choices: COST_GROUPS, help: 'group by this (story)' },
    since: {
      type: 'text',
      value: 'TIME',
      help: 'only sessions since 2026-11-15, or since 7d or 12h ago',
    },
  },
  about: `Adds up what the sessions on this machine used. Dollars are those that Claude Code reports at the end of a
run. A run that is not over, or was cut off, is estimated from its tokens by a table of prices; such dollars have
a ~ in front. A model that is not in the table is shown as unknown and left out of the sum. With a subscription,
dollars say what the same work would cost by API. A session counts for the day on which it began.`,
  examples: ['saga costs', 'saga costs --by model --since 7d', 'saga costs --by day --json'],
  run({ paths, out, text }) {
    const by = (text('by') ?? 'story') as CostGroup;
    const since = readSince(text('since'));
    const { records, problems } = loadSessionRecords(paths());
    const question: CostQuestion = { by, since, epicOf: findEpics(paths()), dayOf: formatDay };
    const rows = deriveCosts(records, question);
    const total = sumRows(records, question);
    if (out.json) {
      const { key: _, ...sum } = total;
      const from = since === undefined ? null : new Date(since).toISOString();
      return void out.value({ by, since: from, pricesOf: PRICES_OF, rows, total: sum, problems });
    }
    out.problems(problems);
    if (rows.length === 0) {
      const when = text('since') === undefined ? 'yet' : `since ${text('since')}`;
      return void out.lines([`No sessions ${when}: nothing was spent on this machine.`]);
    }
    out.lines([...formatRows(formatTable(by, rows, total), out), ...formatRemarks(total, out)]);
    return 0;
  },
};

function formatTable(by: CostGroup, rows: readonly CostRow[], total: CostRow): Cell[][] {
  const all = rows.length > 1 ? [{ ...total, key: 'all' }] : [];
  const heads = ['sessions', 'runs', 'tokens', 'cost'];
  return [
    [
      { text: by, tone: 'quiet' },
      ...heads.map((text): Cell => ({ text, tone: 'quiet', isFigure: true })),
    ],
    ...[...rows, ...all].map((row): Cell[] => [
      { text: row.key === '' ? 'no epic' : row.key, flexible: true },
      ...describeFigures(row).map((text): Cell => ({ text, isFigure: true })),
    ]),
  ];
}

function describeFigures({ sessions, runs, tokens, ...row }: CostRow): string[] {
  const isAllUnknown = row.unknown > 0 && row.costUsd === 0;
  const more = row.unknown > 0 && !isAllUnknown ? ' + unknown' : '';
  const dollars = formatDollars({ ...row, isCostUnknown: isAllUnknown });
  return [String(sessions), String(runs), formatTokens(tokens), `${dollars}${more}`];
}

function formatRemarks({ isCostEstimated, unknown }: CostRow, out: Output<CostsJson>): string[] {
  const remarks = [
    ...(isCostEstimated
      ? [`~ is an estimate from tokens, by prices of ${PRICES_OF}; a run says its cost at its end.`]
      : []),
    ...(unknown > 0
      ? [`unknown: no price is known for the model of ${count(unknown, 'session')}.`]
      : []),
  ];
  if (remarks.length === 0) return [];
  const lines = remarks.flatMap((it) => wrap(it, Math.min(out.width, 100)));
  return ['', ...lines.map((it) => out.paint('quiet', it))];
}

function readSince(given: string | undefined): number | undefined {
  const time = given === undefined ? undefined : readMoment(given, Date.now());
  if (given === undefined || time !== undefined) return time;
  throw new SagaError(
    'usage',
    `--since is not a time: ${JSON.stringify(given)}.`,
    'Such as --since 2026-11-15, --since 2026-11-15T08:00:00Z, --since 7d or --since 12h.',
  );
}

/** Finds the outermost epic around a story. All epics are read once. */
function findEpics(paths: Paths): (story: string) => string | undefined {
  const parents = new Map(
    readEpics(paths).epics.flatMap(({ id, children }) =>
      children.map((child) => [child.id, id] as const),
    ),
  );
  return (story) => {
    const seen = new Set([story]);
    let at = parents.get(story);
    for (let up = at; up !== undefined && !seen.has(up); up = parents.get(up)) {
      seen.add(up);
      at = up;
    }
    return at;
  };
}

/** Returns the day in the time zone of this machine, such as 2026-11-15. */
function formatDay(time: string): string {
  const date = new Date(time);
  if (Number.isNaN(date.getTime())) return time.slice(0, 10);
  const two = (value: number) => String(value).padStart(2, '0');
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}
