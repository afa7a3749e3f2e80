import { isId } from '@saga-ai/types/plan/ids';
import { formatEpicBranch, formatStoryBranch } from '@saga-ai/types/words/names';
import type { Git } from '../git/git.ts';

/** A story or an epic whose branch is at another commit here than at the remote. */
export interface Different {
  id: string;
  /** The local branch. */
  ref: string;
  here: string;
  there: string;
}

const FORMATS = { story: formatStoryBranch, epic: formatEpicBranch };

/**
 * Lists the stories, or the epics, whose branch exists here and at the remote, at different commits. Asks git once.
 * Leaves out branches with other names, which a run can make.
 */
export async function listDifferent(
  git: Git,
  remote: string,
  kind: keyof typeof FORMATS,
): Promise<Different[]> {
  const prefix = FORMATS[kind]('');
  const [heads, remotes] = [`refs/heads/${prefix}`, `refs/remotes/${remote}/${prefix}`];
  const asked = ['for-each-ref', '--format=%(refname) %(objectname)', heads, remotes];
  const tips = new Map(
    (await git.run(asked))
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => line.split(' ') as [string, string]),
  );
  return [...tips].flatMap(([ref, here]) => {
    if (!ref.startsWith(heads)) return [];
    const id = ref.slice(heads.length);
    const there = tips.get(`${remotes}${id}`);
    return there === undefined || there === here || !isId(id) ? [] : [{ id, ref, here, there }];
  });
}
