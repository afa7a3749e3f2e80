/** The version of every shape that a screen or a script receives; raised when one changes its meaning. */
export const OVERVIEW_VERSION = 1;
