import type { Evidence } from '@saga-ai/types/run/evidence';

/**
 * The text that is signed: the evidence without its seal, with sorted keys. So neither the order of
 * the keys nor spaces in the file matter.
 */
export function formatSealedText({ seal: _, ...evidence }: Evidence): string {
  return `${JSON.stringify(sortKeys(evidence))}\n`;
}

function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, it]) => [key, sortKeys(it)] as const);
  return Object.fromEntries(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
