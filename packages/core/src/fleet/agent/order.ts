import type { Config } from '@saga-ai/types/config';
import type { OutcomeKind } from '@saga-ai/types/run/session-record';
import type { AgentHome } from '../../agents/agent.ts';
import type { EpicOptions } from '../../epic/context.ts';
import type { Environment } from '../../processes/run.ts';
import type { Paths } from '../../project/paths.ts';
import type { Engine, Job, MachineWish, RepositoryName } from '../engine.ts';

/** Everything that a machine of a fleet is started with. */
export interface AgentOrder {
  engine: Engine;
  /** The name of the machine, unique in the fleet. */
  machine: string;
  labels: readonly string[];
  /** How many stories it works on at most. Schedulers of epics have places of their own. */
  jobs: number;
  repositories: readonly { name: RepositoryName; url: string }[];
  /** The folder below which clones are made. */
  data: string;
  /** The environment of workers. It must not contain the address of the engine. */
  env: Environment;
  agentHome: AgentHome;
  userId: number | undefined;
  sagaVersion: string;
  clientVersion: string;
  leaseMs: number;
  stop: AbortSignal;
  /** True if the agent ends when there are no more jobs to take, instead of waiting for new ones. */
  isOnce: boolean;
  /** Reads what the scheduler of an epic was asked for. */
  readEpic(paths: Paths, job: Job): EpicSetup;
  tell(event: AgentEvent): void;
}

export interface EpicSetup {
  config: Config;
  options: EpicOptions;
  /** Milliseconds since the epoch. */
  deadline: number;
}

/** What an agent tells the person in front of it. */
export type AgentEvent =
  | { type: 'ready'; machine: string }
  | { type: 'taken'; id: string; kind: Job['kind']; lease: number; earlier: number }
  | { type: 'put-away'; id: string }
  | { type: 'ended'; id: string; outcome: OutcomeKind; reason: string }
  | { type: 'lost'; id: string; reason: string }
  | { type: 'given-back'; id: string; reason: string }
  | { type: 'stopping'; reason: string }
  | { type: 'wish'; wish: MachineWish }
  | { type: 'unfit'; reason: string }
  | { type: 'fit' }
  | { type: 'away'; reason: string }
  | { type: 'back' };
