import { describeFailure } from '../../processes/describe-failure.ts';
import type { ProgramResult } from '../../processes/run.ts';

/** What became of a push. The words say why the remote does not have the commits, as the end of a sentence. */
export type PushOutcome =
  | { kind: 'done' }
  /** Somebody moved the branch on the remote: it has commits that the push lacks, or is not where it was seen. */
  | { kind: 'moved'; words: string }
  /** A hook or a rule of the remote forbids the push. */
  | { kind: 'refused'; words: string }
  /** The remote gave no answer: it could not be reached, took too long, or a hook here ended the push before. */
  | { kind: 'away'; words: string };

/** Tells from git's words what became of the push of one branch. */
export function parsePushOutcome(
  pushed: ProgramResult,
  { remote, branch }: { remote: string; branch: string },
): PushOutcome {
  if (pushed.code === 0) return { kind: 'done' };
  return { kind: parseKind(pushed.stderr), words: describeFailedPush(pushed, remote, branch) };
}

function parseKind(stderr: string): 'moved' | 'refused' | 'away' {
  if (!REJECTED.test(stderr)) return 'away';
  return MOVED.some((it) => it.test(stderr)) ? 'moved' : 'refused';
}

/** git's summary of a branch that it, or the remote, did not take. */
const REJECTED = /^ ! \[(?:remote )?rejected\]/m;

const MOVED = [
  /^ ! \[(?:remote )?rejected\] .*\((?:non-fast-forward|fetch first|stale info)\)$/m,
  // Two pushes at the same time: the remote itself finds that the branch moved. Not: a branch `a` where `a/b` is
  // wanted, which stays so.
  /cannot lock ref '[^']*': (?!.*exists; cannot create)/,
];

/** If the remote refused, the lines of its hook or rule are named: they say more than git's summary of them. */
function describeFailedPush(pushed: ProgramResult, remote: string, branch: string): string {
  const refused = /! \[remote rejected\].*\((.+)\)/.exec(pushed.stderr)?.[1];
  if (refused === undefined) return describeFailure(pushed);
  const said = [...pushed.stderr.matchAll(/^remote: ?(.*\S)/gm)].map(([, line]) => line);
  const why = said.length > 0 ? `: ${said.slice(-5).join(' · ')}` : '';
  return `${remote} refuses ${branch} (${refused})${why}`;
}
