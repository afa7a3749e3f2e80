/** The most that a proposal may cost, in dollars, if nobody says otherwise. Enough to read a repository and to correct a plan. */
export const USUAL_USD = 5;
