import { EVIDENCE_FILE, storyPath } from '@saga-ai/types/plan/plan-paths';
import type { Evidence } from '@saga-ai/types/run/evidence';
import type { Git } from '../git/git.ts';

/** Two commits: what a merged story changed is the difference between them. */
export interface MergedRange {
  from: string;
  to: string;
}

const HASH = /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/;

/**
 * Finds what a merged story changed: the commits that its gate checked if this repository still has them, else the
 * commit that brought its evidence into the base, such as a squash merge. The file is unchecked, so only a text that
 * looks like a hash is handed to git.
 */
export async function findMergedRange(
  git: Git,
  storyId: string,
  { base, head }: Pick<Evidence, 'base' | 'head'>,
  baseCommit: string,
  timeoutMs?: number,
): Promise<MergedRange | undefined> {
  const ask = async (args: string[]) => {
    const { code, stdout } = await git.attempt(args, timeoutMs === undefined ? {} : { timeoutMs });
    return code === 0 ? stdout.trim() : '';
  };
  if (HASH.test(base) && HASH.test(head)) {
    const from = await ask(['merge-base', base, head]);
    // git fails if one of the commits is gone.
    if (HASH.test(from)) return { from, to: head };
  }
  const path = `${storyPath(storyId)}/${EVIDENCE_FILE}`;
  const args = ['log', '-1', '--first-parent', '--format=%H %P', baseCommit, '--', path];
  const [to = '', from = ''] = (await ask(args)).split(' ');
  return HASH.test(to) && HASH.test(from) ? { from, to } : undefined;
}
