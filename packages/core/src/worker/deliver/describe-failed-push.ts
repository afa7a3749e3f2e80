import { describeFailure } from '../../processes/describe-failure.ts';
import type { ProgramResult } from '../../processes/run.ts';

/**
 * Says why a push failed. If the remote refused the branch, the lines of its hook or rule are named: they say more than
 * git's summary of them.
 */
export function describeFailedPush(pushed: ProgramResult, remote: string, branch: string): string {
  const refused = /! \[remote rejected\].*\((.+)\)/.exec(pushed.stderr)?.[1];
  if (refused === undefined) return describeFailure(pushed);
  const said = [...pushed.stderr.matchAll(/^remote: ?(.*\S)/gm)].map(([, line]) => line);
  const why = said.length > 0 ? `: ${said.slice(-5).join(' · ')}` : '';
  return `${remote} refuses ${branch} (${refused})${why}`;
}
