import type { SessionRecord } from '../run/session-record.ts';

/** The ways to group costs. */
export const COST_GROUPS = ['story', 'epic', 'model', 'day'] as const;
export type CostGroup = (typeof COST_GROUPS)[number];

/** What one story, epic, model or day cost. */
export interface CostRow {
  /** An id, the name of a model, or a day such as 2026-11-15. Empty for stories that are in no epic. */
  key: string;
  sessions: number;
  runs: number;
  tokens: number;
  /** The dollars of all sessions whose cost is known. */
  costUsd: number;
  /** Whether a part of the dollars is estimated. */
  isCostEstimated: boolean;
  /** How many of the sessions used a model whose price is unknown. */
  unknown: number;
}

export interface CostQuestion {
  by: CostGroup;
  /** Only sessions that began at this time or later, in milliseconds. */
  since?: number | undefined;
  /** The outermost epic around a story. */
  epicOf(story: string): string | undefined;
  /** The day of a time, on the clock of the person who asks. */
  dayOf(time: string): string;
}

/** Adds up what sessions cost. Days are in their order; in other groupings the most expensive row comes first. */
export function deriveCosts(records: readonly SessionRecord[], question: CostQuestion): CostRow[] {
  const { by, since = Number.NEGATIVE_INFINITY } = question;
  const rows = new Map<string, CostRow>();
  for (const record of records) {
    // The scheduler of an epic spends nothing itself.
    if (record.isEpic || Date.parse(record.startedAt) < since) continue;
    for (const [key, spent] of listShares(record, question)) {
      const row = rows.get(key) ?? startRow(key);
      rows.set(key, row);
      row.sessions += 1;
      row.runs += record.cycle;
      row.tokens += spent.tokens;
      if (spent.isCostUnknown) row.unknown += 1;
      else row.costUsd += spent.costUsd;
      if (spent.isCostEstimated && !spent.isCostUnknown) row.isCostEstimated = true;
    }
  }
  const all = [...rows.values()];
  if (by === 'day') return all.sort((a, b) => (a.key < b.key ? -1 : 1));
  return all.sort((a, b) => b.costUsd - a.costUsd || b.tokens - a.tokens || compare(a.key, b.key));
}

/**
 * Returns the sum of all rows. Counts sessions and runs again, because a session with several models is in several
 * rows.
 */
export function sumRows(records: readonly SessionRecord[], question: CostQuestion): CostRow {
  const [row] = deriveCosts(records, { ...question, by: 'day', dayOf: () => '' });
  return row ?? startRow('');
}

type Share = Pick<SessionRecord, 'tokens' | 'costUsd' | 'isCostEstimated' | 'isCostUnknown'>;

function listShares(record: SessionRecord, { by, epicOf, dayOf }: CostQuestion): [string, Share][] {
  switch (by) {
    case 'story':
      return [[record.story, record]];
    case 'epic':
      return [[epicOf(record.story) ?? '', record]];
    case 'day':
      return [[dayOf(record.startedAt), record]];
    case 'model':
      // Records of old versions name only the model of the settings.
      return Object.entries(record.models ?? { [record.model]: record });
  }
}

const startRow = (key: string): CostRow => ({
  ...{ key, sessions: 0, runs: 0, tokens: 0, costUsd: 0 },
  isCostEstimated: false,
  unknown: 0,
});

const compare = (a: string, b: string) => (a < b ? -1 : Number(a > b));
