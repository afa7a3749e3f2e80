import type { ReadEntry } from '../../plan/journal.ts';
import type { Evidence } from '../../run/evidence.ts';

/** What the pages of a review receive. */

/** Why the diff of a file is not shown at once. */
export type Fold = 'binary' | 'generated' | 'large' | 'huge';

/** A file that a story or an epic changes. Its place in the list names it in other requests. */
export interface ReviewFile {
  path: string;
  change: 'added' | 'removed' | 'changed';
  /** Lines. null for a binary file. */
  added: number | null;
  removed: number | null;
  /** The hash of its new content; of a removed file, of the old one. */
  content: string;
  fold?: Fold;
  /** What the file is, if not a plain file: a link, a submodule, or made executable. */
  note?: string;
}

/** Two commits. The numbers of files hold between them. */
export interface ReviewCommits {
  from: string;
  to: string;
}

/** GET /api/review/:id: what a reviewer of a story or an epic sees, without the diffs. */
export interface ReviewAnswer extends ReviewCommits {
  kind: 'story' | 'epic';
  id: string;
  title: string;
  /** The branch that the work is merged into, and the branch with the work. */
  base: string;
  head: string;
  isMerged: boolean;
  files: ReviewFile[];
  /** Changed files of the plan that are left out. */
  planFiles: number;
  /** Files in the worktree with changes that no commit has, so no diff either. */
  uncommitted: string[];
  /** The evidence of a story. Null for an epic. */
  evidence: Evidence | null;
  /** Whether the evidence is valid for the story as it is now. */
  isChecked: boolean;
  journal: ReadEntry[];
  /** A worker works on it. Remarks then go into its conversation. */
  isRunning: boolean;
}

/** Part of a file. The text of each line begins with a space, `+`, `-` or `\`. */
export interface DiffHunk {
  oldStart: number;
  newStart: number;
  /** What git found to stand above the part, such as the name of a function. */
  heading: string;
  lines: string[];
}

/** GET /api/review/:id/files/:number?from=&to=&all=: the diff of one file. */
export interface FileDiffAnswer {
  hunks: DiffHunk[];
  /** Lines that are not sent, because there are too many. */
  omitted: number;
  /** Why there is nothing to show, in words. */
  reason?: string;
}

/** A remark of a reviewer on a line. */
export interface LineRemark extends ReviewCommits {
  /** The number of the file between these commits. */
  file: number;
  /** The line before the change, or the line after it. */
  side: 'old' | 'new';
  line: number;
  text: string;
}

/** POST /api/review/:id/remarks. */
export interface RemarksRequest {
  remarks: LineRemark[];
  /**
   * True to start a run that works on the remarks, or to give them to the run that is at work. Otherwise they are only
   * written into the journal.
   */
  runs: boolean;
}

/** What a landing would do. The person agrees to exactly this. */
export interface LandPlan {
  branch: string;
  base: string;
  tip: string;
  files: number;
  added: number;
  removed: number;
  /** The pull request that is merged, if the merge is GitHub's. */
  pullRequest?: { number: number; url: string; method: string };
  /** The remote that the base is pushed to, if the merge is local. */
  pushedTo?: string;
  /** Whether the gate had no verify command. */
  isUnverified: boolean;
}

/** GET /api/review/:id/landing: how the landing stands that was begun from a page; null if none was. */
export interface LandingAnswer {
  landing: LandingView | null;
}

export interface LandingView {
  state: 'looking' | 'asks' | 'landing' | 'landed' | 'refused';
  /** What would happen, from `asks` on. */
  plan?: LandPlan;
  /** The progress so far, in words, oldest first. */
  told: string[];
  /** How it ended, in words. */
  message?: string;
  hint?: string;
}

/** An item of the queue of reviews. */
export interface ToReview {
  kind: 'story' | 'epic';
  id: string;
  title: string;
  epic: string | null;
  pr: string | null;
  /** ISO time. */
  since: string | null;
  evidence: 'verified' | 'unverified' | 'none';
  size: { files: number; added: number; removed: number } | null;
  follow: FollowView | null;
  /** What is in the way of a landing, in words, as far as it is known without a request to GitHub. */
  obstacles: string[];
  /** The items of this queue that come first. */
  after: string[];
}

/** What a worker that follows a pull request does. */
export interface FollowView {
  state: 'watching' | 'checking' | 'working';
  /** In words. */
  text: string;
}

/** GET /api/review: what waits for a reviewer, in the order in which it can be landed. */
export interface ToReviewAnswer {
  items: ToReview[];
}
