import type { Fold, ReviewFile } from '@saga-ai/types/screens/review/review';
import type { Git } from '../git/git.ts';
import type { ReviewRange } from './find-range.ts';
import { isForReview, parseNumstat } from './list-changes.ts';

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
  const files = all.filter(({ file }) => isForReview(file.path));
  const huge = await findHuge(
    git,
    files.flatMap(({ contents }) => contents),
  );
  return {
    files: files.map(({ file, contents }) =>
      contents.some((it) => huge.has(it)) ? { ...file, fold: 'huge' } : file,
    ),
    planFiles: all.length - files.length,
  };
}

/** The largest file that is compared. git would need seconds for a larger one, and nobody reads it in a browser. */
const LARGEST_BYTES = 8_000_000;

/** Finds contents that are too large, with one command for all of them. Returns their hashes. */
async function findHuge(git: Git, contents: readonly string[]): Promise<Set<string>> {
  if (contents.length === 0) return new Set();
  const input = `${contents.join('\n')}\n`;
  const args = ['cat-file', '--batch-check=%(objectname) %(objectsize)'];
  const printed = await git.run(args, { input });
  const sizes = printed.split('\n').map((line) => line.split(' '));
  return new Set(
    sizes.flatMap(([hash = '', size]) => (Number(size) > LARGEST_BYTES ? [hash] : [])),
  );
}

interface Parsed {
  file: ReviewFile;
  /** The hashes of the old and the new content, of which one may be missing. */
  contents: string[];
}

/** Parses what `git diff --raw --numstat -z` prints: first all records with hashes, then all with counts. */
function parseRawAndNumstat(text: string): Parsed[] {
  const parts = text.split('\0');
  const raw = new Map<string, RegExpExecArray>();
  let at = 0;
  for (; at + 1 < parts.length; at += 2) {
    const record = RAW.exec(parts[at] ?? '');
    if (!record) break;
    raw.set(parts[at + 1] ?? '', record);
  }
  return parseNumstat(parts.slice(at).join('\0')).flatMap((counts): Parsed[] => {
    const [, oldMode = '', newMode = '', oldHash = '', newHash = '', letter] =
      raw.get(counts.path) ?? [];
    if (letter === undefined) return [];
    const change = letter === 'A' ? 'added' : letter === 'D' ? 'removed' : 'changed';
    const fold = chooseFold(counts);
    const note = describeMode(oldMode, newMode);
    const file: ReviewFile = {
      ...counts,
      change,
      content: change === 'removed' ? oldHash : newHash,
      fold,
      note,
    };
    // The content of a submodule is a commit of another repository.
    const contents = [oldHash, newHash].filter((it) => !/^0+$/.test(it) && note !== 'submodule');
    return [{ file, contents }];
  });
}

const RAW = /^:(\d{6}) (\d{6}) ([0-9a-f]+) ([0-9a-f]+) ([A-Z])\d*$/;

/** A file with more changed lines than this is shown only if the reviewer asks for it. */
const LARGE = 1500;
/**
 * Decides by the names of files alone. Their content, and files such as `.gitattributes`, may be the work of the run
 * under review.
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
