import type { Lifeline } from '@saga-ai/core/processes/run';

/** The lifeline of a worker in the test's own process, which does nothing. */
export const NO_LIFELINE: Lifeline = { variables: {}, hold: () => {}, release: () => {} };
