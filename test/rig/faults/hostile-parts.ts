/** Repeated very often, each would lead a careless reader of commands to look at all the text again and again. */
export const HOSTILE_PARTS = ['<<a ', '\n<<a', '"', "'", 'git -c ', '\\"', 'sh -c "', '$('];
