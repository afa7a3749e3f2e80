import type { Agent } from './agent.ts';
import { claude } from './claude/agent.ts';

/** The agent that SAGA works with. It is chosen here and nowhere else; whoever uses it knows `Agent` only. */
export const agent: Agent = claude;
