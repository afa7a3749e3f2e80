/** The version of the data that screens and scripts receive. It is raised when the meaning of a field changes. */
export const OVERVIEW_VERSION = 1;
