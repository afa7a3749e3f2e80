import { describeFeatures } from './client-features.ts';
import { ClaudeStream } from './stream/stream.ts';

/**
 * Opens a reader for one run. In the cost that they report, only some versions include the earlier runs of the
 * conversation.
 */
export function openStream(run: { version: string; earlierCostUsd: number }): ClaudeStream {
  return new ClaudeStream(describeFeatures(run.version).addsUpCost ? run.earlierCostUsd : 0);
}
