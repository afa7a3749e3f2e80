import type { Lifeline } from '@saga-ai/core/processes/run';

/** For a worker that is part of the test's own process: nothing has to end with it. */
export const NO_LIFELINE: Lifeline = { variables: {}, hold: () => {}, release: () => {} };
