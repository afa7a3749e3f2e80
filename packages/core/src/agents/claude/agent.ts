import type { Agent } from '../agent.ts';
import { findRemedy } from './remedies.ts';
import { ClaudeStream } from './stream.ts';

/** Claude Code, as SAGA uses it. */
export const claude: Agent = {
  openStream: () => new ClaudeStream(),
  findRemedy,
};
