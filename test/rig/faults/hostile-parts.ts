/**
 * Texts that are slow to parse: if one is repeated very often, a careless parser of commands reads the whole text again
 * and again.
 */
export const HOSTILE_PARTS = ['<<a ', '\n<<a', '"', "'", 'git -c ', '\\"', 'sh -c "', '$('];
