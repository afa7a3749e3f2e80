import { isAtLeast } from '@saga-ai/types/words/versions';

/** What a version of the client can do. A file in `test/contract` tests each field. */
export interface ClientFeatures {
  /** A hook can be an address instead of a program. */
  httpHooks: boolean;
  /** A hook can declare that its own failure blocks the call. */
  onFailure: boolean;
  /** A run can be told how much the model thinks. */
  effort: boolean;
  /**
   * A run that continues a conversation reports the cost of all its runs. Other versions report only the cost of the
   * last run.
   */
  addsUpCost: boolean;
  /**
   * A conversation that is continued keeps its first system prompt, unless it is told not to. The instructions of a
   * project may have changed since.
   */
  keepsSystemPrompt: boolean;
}

export function describeFeatures(version: string): ClientFeatures {
  return {
    httpHooks: isAtLeast(version, '2.1.63'),
    onFailure: isAtLeast(version, '2.1.295'),
    effort: isAtLeast(version, '2.1.111'),
    addsUpCost: isAtLeast(version, '2.1.277'),
    keepsSystemPrompt: isAtLeast(version, '2.1.268'),
  };
}

/** The versions in docs/compatibility.md, oldest first. */
export const TESTED_CLIENTS = [
  '2.1.30',
  '2.1.100',
  '2.1.150',
  '2.1.200',
  '2.1.233',
  '2.1.325',
  '2.1.327',
];

/** The oldest version that was tested with a story. */
export const OLDEST_CLIENT = '2.1.30';
