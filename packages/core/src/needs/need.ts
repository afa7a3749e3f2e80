import type { Config } from '@saga-ai/types/config';
import type { Agent, AgentHome } from '../agents/agent.ts';
import type { Environment } from '../processes/run.ts';

/** The project, settings and environment with which a story would run. */
export interface NeedContext {
  /** The top folder of the project. */
  root: string;
  config: Config;
  env: Environment;
  agent: Agent;
  /** Where the person's account is; undefined if the model needs none, as in a rehearsal. */
  agentHome?: AgentHome;
  /** The story that is about to run; undefined if the whole project is checked. */
  storyId?: string;
  /** True to ask programs again, even if their answer is remembered or can be guessed. */
  isThorough?: boolean;
}

/** What a check found, in a few words. If there is a remedy, the story can run without it, but less well. */
export interface Found {
  what: string;
  remedy?: string;
}

/**
 * One thing that a story needs of the machine or the repository. `check` returns what it found. If the need is not met,
 * `check` throws a SagaError that says what to do. It changes nothing.
 */
export interface Need {
  name: string;
  /** If this other need, the ground, is not met, the check makes no sense and is not made. */
  after?: Need;
  check(context: NeedContext, ground?: Found): Promise<Found>;
}
