import { PLAN_FOLDER } from '@saga-ai/types/plan/plan-paths';
import type { Git } from '../git/git.ts';
import type { ReviewRange } from './find-range.ts';

/** A file with the lines added and removed in it. git gives no numbers for a binary file. */
export interface ChangedFile {
  path: string;
  added: number | null;
  removed: number | null;
}

/** The folders of the plan, which a reviewer of the code does not read. The settings stay in the diff. */
const PLAN_PARTS = ['stories', 'epics', 'archive'].map((it) => `${PLAN_FOLDER}/${it}`);

/** Whether a reviewer of the code reads this file. Its path is from the top of the repository. */
export const isForReview = (path: string): boolean =>
  !PLAN_PARTS.some((part) => path.startsWith(`${part}/`));

/** The pathspecs of a diff without the plan. */
export const WITHOUT_PLAN: readonly string[] = [
  ':(top)',
  ...PLAN_PARTS.map((it) => `:(top,exclude)${it}`),
];

/** Lists every file that the range changes, with the plan. */
export async function listChanges(
  git: Git,
  { from, to }: Pick<ReviewRange, 'from' | 'to'>,
  timeoutMs?: number,
): Promise<ChangedFile[]> {
  const args = ['diff', '--numstat', '--no-renames', '--no-ext-diff', '--no-textconv', '-z'];
  return parseNumstat(
    await git.run([...args, from, to], timeoutMs === undefined ? {} : { timeoutMs }),
  );
}

/** Parses NUL-separated records of `git diff --numstat`. A path may contain anything but NUL. */
export function parseNumstat(text: string): ChangedFile[] {
  return text.split('\0').flatMap((record): ChangedFile[] => {
    const [, added, removed, path] = /^(\d+|-)\t(\d+|-)\t(.+)$/s.exec(record) ?? [];
    if (path === undefined) return [];
    return [{ path, added: toCount(added), removed: toCount(removed) }];
  });
}

const toCount = (text: string | undefined) => (text === '-' ? null : Number(text));
