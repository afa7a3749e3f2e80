import { formatDollars } from '@saga-ai/types/words/amounts';

export { count, formatDollars, formatTokens, sumCosts } from '@saga-ai/types/words/amounts';

/** A cost of 0 means that the cost is not known yet, so it is shown as "–". */
export const formatCost = (usd: number) => formatDollars({ costUsd: usd });

/** Formats a size: "980 B", "1.2 MB". */
export function formatBytes(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  if (bytes < 1_000_000) return `${Math.round(bytes / 1000)} kB`;
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}
