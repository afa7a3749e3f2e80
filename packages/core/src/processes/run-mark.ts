/** Every process of a run carries this variable with the run’s id, so that none is left behind unseen. */
export const RUN_VARIABLE = 'SAGA_RUN_ID';
