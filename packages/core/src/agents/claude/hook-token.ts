/** The variable that holds the guard's token. The client puts the token into the header of each question. */
export const TOKEN_VARIABLE = 'SAGA_HOOK_TOKEN';
