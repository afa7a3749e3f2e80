/** What was found outside the worktree after a run, in words. */
export interface Elsewhere {
  /** What only a run changes. It is as it was. */
  putBack: string[];
  /** What may have been a person's doing. It stays. */
  noticed: string[];
}
