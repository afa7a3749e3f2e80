import type { Environment } from '@saga-ai/core/processes/run';
import type { Paths } from '@saga-ai/core/project/paths';

/** What every action of the dashboard needs. */
export interface ActionContext {
  paths: Paths;
  env: Environment;
  /** The words that started this saga. Workers are started with them, too. */
  program: readonly string[];
  userId: number | undefined;
}
