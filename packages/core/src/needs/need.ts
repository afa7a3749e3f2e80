import type { Config } from '@saga-ai/types/config';
import type { Environment } from '../processes/run.ts';

/** Where and with what a story would be run. */
export interface Place {
  /** The top folder of the project. */
  root: string;
  config: Config;
  env: Environment;
  /** The story that is about to run; undefined when the project as a whole is looked at. */
  storyId?: string;
}

/**
 * One thing that a story needs of the machine or the repository. `check` returns what it found, in
 * a few words, and throws a SagaError with its remedy if the need is not met. It changes nothing.
 */
export interface Need {
  name: string;
  /** Where this one is not met, the question makes no sense. */
  after?: Need;
  check(place: Place): Promise<string>;
}
