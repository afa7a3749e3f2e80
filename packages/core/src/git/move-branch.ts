import type { Git } from './git.ts';

/** Moves the branch if it is still where the caller saw it. Returns false if somebody else moved it. */
export async function moveBranch(
  git: Git,
  branch: string,
  to: string,
  from: string | undefined,
): Promise<boolean> {
  const before = from ?? '0'.repeat(to.length);
  const moved = await git.attempt(['update-ref', `refs/heads/${branch}`, to, before]);
  return moved.code === 0;
}
