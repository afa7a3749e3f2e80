import type { Git } from './git.ts';

/** The subject of the commit that holds what no run committed. Such a commit is never pushed unasked. */
export const formatWip = (storyId: string) => `wip: ${storyId}, left uncommitted by a run`;

/** Finds such a commit in a branch, if no remote has it: a person committed on top of it. */
export async function findUnpushedWip(
  git: Git,
  storyId: string,
  tip: string,
): Promise<string | undefined> {
  const listed = await git.run(['log', '--format=%h %s', tip, '--not', '--remotes']);
  const line = listed.split('\n').find((it) => it.endsWith(` ${formatWip(storyId)}`));
  return line?.split(' ')[0];
}
