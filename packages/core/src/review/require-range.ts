import { SagaError } from '../errors.ts';
import type { Git } from '../git/git.ts';
import { findReviewRange, type ReviewedItem, type ReviewRange } from './find-range.ts';

/** Finds what a reviewer looks at. Throws if there is nothing yet. */
export async function requireReviewRange(
  git: Git,
  item: ReviewedItem,
  timeoutMs?: number,
): Promise<ReviewRange> {
  const range = await findReviewRange(git, item, timeoutMs);
  if (range) return range;
  const what = item.kind === 'story' ? 'Story' : 'Epic';
  throw new SagaError(
    'nothing-to-review',
    `${what} ${item.id} has no branch yet, so it has changed nothing.`,
    `Start the work: saga run ${item.id}`,
  );
}
