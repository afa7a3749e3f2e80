import type { StoryDraft } from '@saga-ai/types/plan/draft';
import type { FollowUp } from '@saga-ai/types/plan/follow-up';
import { deriveFreeId } from '@saga-ai/types/plan/ids';
import { type Created, createFromDraft } from '../authoring/create.ts';
import { parseDraft } from '../authoring/parse-draft.ts';
import { SagaError } from '../errors.ts';
import { listArchived } from '../plan/archived.ts';
import { listIds } from '../plan/list-ids.ts';
import type { Paths } from '../project/paths.ts';
import { saveDraft } from './draft-box.ts';

/**
 * Makes a draft a story. Its id is noted before the story exists, so that a second try after a kill finds the story
 * and creates no other one.
 */
export async function acceptDraft(
  paths: Paths,
  draft: FollowUp,
  epic: string | undefined,
): Promise<{ story: string; created: Created | undefined }> {
  const { number, faults } = draft;
  const ids = new Set(listIds(paths));
  if (draft.state === 'accepted' || (draft.story !== undefined && ids.has(draft.story))) {
    await saveDraft(paths, number, { state: 'accepted' });
    return { story: draft.story ?? '', created: undefined };
  }
  if (faults.length > 0) {
    throw new SagaError(
      'invalid-draft',
      `Draft ${number} cannot be created as it is: ${faults.join('; ')}.`,
      `Correct it in your editor: saga drafts accept ${number} --edit. Or drop it: saga drafts drop ${number}`,
    );
  }
  const input = (await parseDraft(draft.text, 'draft.md')).input as StoryDraft;
  const archived = listArchived(paths);
  const isTaken = (id: string) => ids.has(id) || archived.has(id);
  const id = isTaken(input.id) ? deriveFreeId(input.id, 'story', isTaken) : input.id;
  await saveDraft(paths, number, { story: id });
  const created = await createFromDraft(paths, {
    ...{ ...input, id, blockedBy: [] },
    ...(epic === undefined ? {} : { epic }),
  });
  await saveDraft(paths, number, { state: 'accepted' });
  return { story: id, created };
}
