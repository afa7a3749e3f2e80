import { findOpenFeedback, type JournalEntry, parseJournal } from '@saga-ai/types/plan/journal';
import type { LineRemark } from '@saga-ai/types/screens/review/review';
import { SagaError } from '../errors.ts';
import type { Git } from '../git/git.ts';
import { appendJournal } from '../plan/journal.ts';
import { loadStory } from '../plan/stories.ts';
import type { Paths } from '../project/paths.ts';
import { buildRemark, type QuotedRemark } from './line-remark.ts';
import { quoteLine } from './quote-line.ts';
import { listReviewFiles } from './review-files.ts';

/** Adds the path and the line to each remark, as they are in the commits that the reviewer looked at. */
export async function quoteRemarks(
  git: Git,
  remarks: readonly LineRemark[],
): Promise<QuotedRemark[]> {
  const lists = new Map<string, ReturnType<typeof listReviewFiles>>();
  const listFor = ({ from, to }: LineRemark) => {
    const key = `${from} ${to}`;
    const list = lists.get(key) ?? listReviewFiles(git, { from, to });
    lists.set(key, list);
    return list;
  };
  const quoted: QuotedRemark[] = [];
  for (const remark of remarks) {
    const { side, line, text } = remark;
    const file = (await listFor(remark)).files[remark.file];
    if (!file) {
      throw new SagaError(
        'edit-refused',
        'A remark is about a file that the review does not have.',
        'Nothing was filed. Reload the page and look at the file again.',
      );
    }
    const isRemoved = side === 'old';
    const commit = isRemoved ? remark.from : remark.to;
    const found = await quoteLine(git, commit, file.path, line);
    quoted.push({ path: file.path, line, isRemoved, quoted: found, text });
  }
  return quoted;
}

/** Writes remarks into the journal as Feedback. Skips remarks that are already open there in the same words. */
export async function fileRemarks(
  paths: Paths,
  storyId: string,
  remarks: readonly QuotedRemark[],
  time: string,
): Promise<JournalEntry[]> {
  const open = findOpenFeedback(parseJournal(loadStory(paths, storyId).journal).entries);
  const isKnown = ({ title, body }: JournalEntry) =>
    open.some((it) => it.title === title && it.body === body);
  const fresh = remarks.map((it) => buildRemark(it, time)).filter((it) => !isKnown(it));
  if (fresh.length > 0) await appendJournal(paths, storyId, ...fresh);
  return fresh;
}
