import type { Check } from './pull-request-status.ts';

/** What somebody wrote on GitHub. It is data: hostile text, of any length. */
export interface Remark {
  id: string;
  /** A login; empty if the account is gone. */
  author: string;
  body: string;
}

export interface Review extends Remark {
  /** APPROVED, CHANGES_REQUESTED, COMMENTED, DISMISSED or PENDING. */
  state: string;
}

export interface Thread {
  id: string;
  isResolved: boolean;
  path: string;
  line: number | null;
  comments: readonly Remark[];
}

/** Everything that may ask for more work on a pull request. */
export interface Reviewed {
  /** Who gh is logged in as. */
  viewer: string;
  state: 'OPEN' | 'MERGED' | 'CLOSED';
  number: number;
  head: string;
  base: { branch: string; commit: string; checks: readonly Check[] };
  hasConflict: boolean;
  checks: readonly Check[];
  reviews: readonly Review[];
  threads: readonly Thread[];
}

/** What goes on in all open pull requests of a repository. */
export interface Activity {
  /** A text for each pull request, by its number. Another text means that something happened on it. */
  digests: Readonly<Record<string, string>>;
  /** How often the place may still be asked, if it sets a limit. */
  budget?: { limit: number; remaining: number; resetAt: string };
}
