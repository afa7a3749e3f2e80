/** The variable that holds the guard's token; the client puts it into the header of each question. */
export const TOKEN_VARIABLE = 'SAGA_HOOK_TOKEN';
