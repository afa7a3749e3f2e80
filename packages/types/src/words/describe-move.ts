import { listFiles } from './amounts.ts';

/** What became of a run's commits when a person moved the branch while it worked. */
export const MOVE_ENDS = {
  alone: '',
  merged: "; the run's commits are merged with it",
  apart: "; the run's commits are kept beside the branch",
} as const;

/** Describes that a person moved a branch while a run worked. `commits` are new ones, each with its subject. */
export function describeMove(
  branch: string,
  to: string,
  commits: readonly string[],
  how: keyof typeof MOVE_ENDS,
): string {
  const did = commits.length > 0 ? 'committed on' : 'moved';
  const what = commits.length > 0 ? listFiles(commits) : to.slice(0, 12);
  return `a person ${did} ${branch} while a run worked: ${what}${MOVE_ENDS[how]}`;
}
