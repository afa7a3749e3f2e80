/** Formats a duration for a narrow column: "41 s", "3m12s", "2h05m". */
export function formatDuration(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000));
  if (!Number.isFinite(seconds)) return '–';
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes}m${two(seconds % 60)}s`;
  return `${Math.floor(minutes / 60)}h${two(minutes % 60)}m`;
}

/** Formats a number of tokens: "840", "84k", "1.2M". */
export function formatTokens(tokens: number): string {
  if (tokens < 1000) return String(tokens);
  if (tokens < 1_000_000) return `${Math.round(tokens / 1000)}k`;
  return `${(tokens / 1_000_000).toFixed(1)}M`;
}

/** Dollars, and how far they can be relied on. */
export interface Cost {
  costUsd: number;
  /** Dollars of a run that is not over, or was cut off, are estimated from its tokens. */
  isCostEstimated?: boolean | undefined;
  /** No price of the model is known, so the dollars are not shown. */
  isCostUnknown?: boolean | undefined;
}

/** Formats a sum of dollars that is known: "$0.12", and "$0.00" if nothing was spent. */
export const formatUsd = (usd: number): string => `$${usd.toFixed(2)}`;

/** Formats dollars: "$0.12", "~$0.12" for an estimate, "unknown", and "–" if nothing was spent. */
export function formatDollars({ costUsd, isCostEstimated, isCostUnknown }: Cost): string {
  if (isCostUnknown) return 'unknown';
  return costUsd === 0 ? '–' : `${isCostEstimated ? '~' : ''}${formatUsd(costUsd)}`;
}

/** Adds costs up. If one of them is unknown, so is the sum. */
export function sumCosts(costs: readonly Cost[]): Cost {
  return {
    costUsd: costs.reduce((sum, it) => sum + it.costUsd, 0),
    isCostEstimated: costs.some((it) => it.isCostEstimated) ? true : undefined,
    isCostUnknown: costs.some((it) => it.isCostUnknown) ? true : undefined,
  };
}

/** Formats tokens and dollars, such as `84k tokens` and `~$0.12`. An amount of 0 is left out. */
export function formatSpent(tokens: number, cost: Cost): string[] {
  const dollars = cost.isCostUnknown ? 'cost unknown' : formatDollars(cost);
  return [
    ...(tokens > 0 ? [`${formatTokens(tokens)} tokens`] : []),
    ...(cost.costUsd > 0 || cost.isCostUnknown ? [dollars] : []),
  ];
}

export const count = (n: number, one: string, many = `${one}s`) =>
  `${n.toLocaleString('en')} ${n === 1 ? one : many}`;

const two = (value: number) => String(value).padStart(2, '0');

const SHOWN_FILES = 5;

/** Names the first few files, and how many more there are. */
export function listFiles(files: readonly string[]): string {
  const more = files.length - SHOWN_FILES;
  return files.slice(0, SHOWN_FILES).join(', ') + (more > 0 ? `, and ${more} more` : '');
}
