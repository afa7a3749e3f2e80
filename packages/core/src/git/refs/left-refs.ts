import { parseRehearsalBranch, parseStoryBranch } from '@saga-ai/types/words/names';
import type { Git } from '../git.ts';

/** What a run can leave beside its branch, and the words for it. */
export const LEFT = {
  rebase: 'an unfinished rebase',
  am: 'unfinished patches (git am)',
  'cherry-pick': 'an unfinished cherry-pick',
  revert: 'an unfinished revert',
  files: 'changed files that were in the way',
  commits: 'commits that conflict with the branch',
  apart: 'commits of a run during which a person moved the branch',
  history: 'commits that are gone from the branch',
} as const;
export type LeftKind = keyof typeof LEFT;

/** Work that is kept under a ref of its own because it does not fit onto the branch. */
export interface LeftWork {
  ref: string;
  what: LeftKind;
  commit: string;
}

const LEFT_REFS = 'refs/saga/left';

/** The refs that keep what runs of a branch left. A rehearsal has its own: an id contains no dot. */
export function leftFolder(branch: string): string {
  const rehearsed = parseRehearsalBranch(branch);
  const name = rehearsed === undefined ? parseStoryBranch(branch) : `${rehearsed}.rehearsal`;
  return `${LEFT_REFS}/${name ?? branch}`;
}

export function formatLeftRef(branch: string, runId: string, what: LeftKind): string {
  return `${leftFolder(branch)}/${shortRun(runId)}-${what}`;
}

/** Whether a text can be the name of such a ref. */
export const isLeftRef = (text: string): boolean =>
  text.startsWith(`${LEFT_REFS}/`) && /^[\w./-]+$/.test(text);

/** Lists what is kept beside a branch, without what was merged into HEAD since. */
export async function listLeft(git: Git, branch: string, runId?: string): Promise<LeftWork[]> {
  const format = '--format=%(objectname) %(refname)';
  const unmerged = (await git.resolve('HEAD')) === undefined ? [] : ['--no-merged=HEAD'];
  const printed = await git.run(['for-each-ref', ...unmerged, format, leftFolder(branch)]);
  return printed.split('\n').flatMap((line) => {
    const [commit = '', ref = ''] = line.split(' ');
    const [, run, what = ''] = /\/([^/]+?)-([a-z-]+)$/.exec(ref) ?? [];
    if (!isKind(what) || (runId !== undefined && run !== shortRun(runId))) return [];
    return [{ ref, what, commit }];
  });
}

const isKind = (word: string): word is LeftKind => Object.hasOwn(LEFT, word);
const shortRun = (runId: string) => runId.slice(0, 8).replace(/-+$/, '');
