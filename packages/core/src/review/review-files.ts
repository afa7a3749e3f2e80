import type { Fold, ReviewFile } from '@saga-ai/types/screens/review/review';
import type { Git } from '../git/git.ts';
import type { ReviewRange } from './find-range.ts';
import { isPlanFile, parseNumstat } from './list-changes.ts';

export interface ReviewList {
  files: ReviewFile[];
  /** Changed files of the plan that are left out. */
  planFiles: number;
}

/** Lists the files that a reviewer reads, with the hashes of their contents. The plan is left out. */
export async function listReviewFiles(
  git: Git,
  { from, to }: Pick<ReviewRange, 'from' | 'to'>,
  timeoutMs?: number,
): Promise<ReviewList> {
  const how = ['--raw', '--numstat', '--no-abbrev', '--no-renames', '--no-ext-diff'];
  const args = ['diff', ...how, '--no-textconv', '-z', from, to];
  const text = await git.run(args, timeoutMs === undefined ? {} : { timeoutMs });
  const all = parseRawAndNumstat(text);
  const files = all.filter(({ path }) => !isPlanFile(path));
  return { files, planFiles: all.length - files.length };
}

/** Parses what `git diff --raw --numstat -z` prints: first all records with hashes, then all with counts. */
export function parseRawAndNumstat(text: string): ReviewFile[] {
  const parts = text.split('\0');
  const raw = new Map<string, RegExpExecArray>();
  let at = 0;
  for (; at + 1 < parts.length; at += 2) {
    const record = RAW.exec(parts[at] ?? '');
    if (!record) break;
    raw.set(parts[at + 1] ?? '', record);
  }
  return parseNumstat(parts.slice(at).join('\0')).flatMap((counts): ReviewFile[] => {
    const [, oldMode = '', newMode = '', oldHash = '', newHash = '', letter] =
      raw.get(counts.path) ?? [];
    if (letter === undefined) return [];
    const change = letter === 'A' ? 'added' : letter === 'D' ? 'removed' : 'changed';
    const fold = chooseFold(counts);
    const note = describeMode(oldMode, newMode);
    return [
      {
        ...counts,
        change,
        content: change === 'removed' ? oldHash : newHash,
        ...(fold === undefined ? {} : { fold }),
        ...(note === undefined ? {} : { note }),
      },
    ];
  });
}

const RAW = /^:(\d{6}) (\d{6}) ([0-9a-f]+) ([0-9a-f]+) ([A-Z])\d*$/;

/** A file with more changed lines than this is shown if the reviewer asks for it. */
const LARGE = 1500;
/**
 * By their names alone: what a file says of itself, such as in `.gitattributes`, is written by the run whose work is
 * reviewed.
 */
const GENERATED =
  /(?:^|\/)(?:package-lock\.json|npm-shrinkwrap\.json|pnpm-lock\.yaml|yarn\.lock|bun\.lockb?|Cargo\.lock|poetry\.lock|uv\.lock|composer\.lock|Gemfile\.lock|go\.sum)$|\.min\.(?:js|css)$|\.(?:js|css)\.map$|\.snap$/;

function chooseFold({
  path,
  added,
  removed,
}: Pick<ReviewFile, 'path' | 'added' | 'removed'>): Fold | undefined {
  if (added === null || removed === null) return 'binary';
  if (GENERATED.test(path)) return 'generated';
  return added + removed > LARGE ? 'large' : undefined;
}

function describeMode(before: string, after: string): string | undefined {
  const now = after === '000000' ? before : after;
  if (now === '120000') return 'link';
  if (now === '160000') return 'submodule';
  if (after === '100755' && before !== '100755') return 'executable';
  return before === '100755' && after === '100644' ? 'no longer executable' : undefined;
}
