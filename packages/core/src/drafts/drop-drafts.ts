import { SagaError } from '../errors.ts';
import type { Paths } from '../project/paths.ts';
import { requireDraft, saveDraft } from './draft-box.ts';

/** Takes the named drafts out of the inbox, all of them or none. Returns their numbers. */
export async function dropDrafts(paths: Paths, given: readonly string[]): Promise<number[]> {
  const drafts = given.map((it) => requireDraft(paths, it));
  const done = drafts.find(({ state }) => state === 'accepted');
  if (done) {
    throw new SagaError(
      'usage',
      `Draft ${done.number} is story ${done.story} already.`,
      `To remove the story: saga delete ${done.story}`,
    );
  }
  for (const { number } of drafts) await saveDraft(paths, number, { state: 'dropped' });
  return drafts.map(({ number }) => number);
}
