/** The names of variables by which SAGA's own processes know each other. Every command loads this file. */

/**
 * Every process of a run carries this variable with the run's id, so that all of them can be found and
 * ended.
 */
export const RUN_VARIABLE = 'SAGA_RUN_ID';

/**
 * Every process that must not outlive a worker carries this variable: client, setup, verify, git on
 * the network.
 */
export const WORKER_VARIABLE = 'SAGA_WORKER_ID';

/** Names the file with the worker's environment, for the program that tmux starts. */
export const ENVIRONMENT_FILE_VARIABLE = 'SAGA_ENVIRONMENT_FILE';
