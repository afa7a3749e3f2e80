import type { Agent } from './agent.ts';
import { claude } from './claude/agent.ts';

/** The agent that SAGA works with. It is chosen only here. All other modules know only the interface `Agent`. */
export const agent: Agent = claude;
