import type { Git } from './git.ts';

/** Returns the subject of the commit of leftovers. SAGA pushes such a commit only after a person has pushed it. */
export const formatWip = (storyId: string) => `wip: ${storyId}, left uncommitted by a run`;

/** Finds a commit of leftovers that no remote has, also if a person committed on top of it. */
export async function findUnpushedWip(
  git: Git,
  storyId: string,
  tip: string,
): Promise<string | undefined> {
  const listed = await git.run(['log', '--format=%h %s', tip, '--not', '--remotes']);
  const line = listed.split('\n').find((it) => it.endsWith(` ${formatWip(storyId)}`));
  return line?.split(' ')[0];
}
