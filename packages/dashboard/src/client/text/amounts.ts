export { count, formatTokens } from '@saga-ai/types/words/amounts';

/** What nothing is known of yet is no price. */
export const formatCost = (usd: number) => (usd === 0 ? '–' : `$${usd.toFixed(2)}`);

/** "980 B", "1.2 MB". */
export function formatBytes(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  if (bytes < 1_000_000) return `${Math.round(bytes / 1000)} kB`;
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}
