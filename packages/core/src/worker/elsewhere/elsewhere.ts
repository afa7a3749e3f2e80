/** What was found outside the worktree after a run, in words. */
export interface Elsewhere {
  /** Changes that only a run makes. They were put back. */
  putBack: string[];
  /** Changes that a person may have made. They stay. */
  noticed: string[];
}
