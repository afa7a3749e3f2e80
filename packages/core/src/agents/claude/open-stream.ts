import { describeFeatures } from './client-features.ts';
import { ClaudeStream } from './stream/stream.ts';

/** Opens a reader for one run. Only some versions count the earlier runs of a conversation in what they say it cost. */
export function openStream(run: { version: string; earlierCostUsd: number }): ClaudeStream {
  return new ClaudeStream(describeFeatures(run.version).addsUpCost ? run.earlierCostUsd : 0);
}
