import { findOutputPrice } from '@saga-ai/core/agents/claude/stream/price';

/** Returns the number of output tokens that the client shows as this amount of money. */
export function costToTokens(costUsd: number, model: string): number {
  return Math.round((costUsd * 1_000_000) / findOutputPrice(model));
}
