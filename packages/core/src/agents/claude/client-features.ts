import { isAtLeast } from '@saga-ai/types/words/versions';

/** What a client of a version can do; each line is held by a file in `test/contract`. */
export interface ClientFeatures {
  /** Hooks may be addresses instead of programs. */
  httpHooks: boolean;
  /** A hook may say that its own failure blocks the call. */
  onFailure: boolean;
}

export function describeFeatures(version: string): ClientFeatures {
  return {
    httpHooks: isAtLeast(version, '2.1.63'),
    onFailure: isAtLeast(version, '2.1.295'),
  };
}

/** Those that docs/compatibility.md is about, oldest first. */
export const TESTED_CLIENTS = ['2.1.30', '2.1.100', '2.1.150', '2.1.200', '2.1.233', '2.1.325'];

/** Older ones were never seen working with a story. */
export const OLDEST_CLIENT = '2.1.30';
