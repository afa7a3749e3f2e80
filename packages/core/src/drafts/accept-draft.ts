import { StoryDraft } from '@saga-ai/types/plan/draft';
import type { FollowUp } from '@saga-ai/types/plan/follow-up';
import { deriveFreeId, isId } from '@saga-ai/types/plan/ids';
import { type Created, createFromDraft } from '../authoring/create.ts';
import { parseDraft } from '../authoring/parse-draft.ts';
import { SagaError } from '../errors.ts';
import { listArchived } from '../plan/archived.ts';
import { listIds } from '../plan/list-ids.ts';
import { loadStory } from '../plan/stories.ts';
import type { Paths } from '../project/paths.ts';
import { findStoryHome } from '../project/story-home.ts';
import { saveDraft } from './draft-box.ts';

/**
 * Makes a story of a draft. The id of the story is noted before the story exists, so that a second try after a kill
 * finds the story and does not create another one.
 */
export async function acceptDraft(
  paths: Paths,
  draft: FollowUp,
  epic: string | undefined,
): Promise<{ story: string; created: Created | undefined }> {
  const { number, faults } = draft;
  if (draft.state === 'accepted' || (await isThere(paths, draft))) {
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
  const { input, id } = await readStory(paths, draft);
  await saveDraft(paths, number, { story: id });
  const created = await createFromDraft(paths, {
    ...{ ...input, id, blockedBy: [] },
    ...(epic === undefined ? {} : { epic }),
  });
  await saveDraft(paths, number, { state: 'accepted' });
  return { story: id, created };
}

/** Returns what accepting a draft would create, or undefined if the draft cannot be created as it is. */
export async function foreseeAccept(
  paths: Paths,
  draft: FollowUp,
): Promise<{ story: string; tasks: number } | undefined> {
  if (draft.faults.length > 0) return undefined;
  const { input, id } = await readStory(paths, draft);
  return { story: id, tasks: input.tasks.length };
}

/** Reads a draft without faults, and finds an id that is free. */
async function readStory(
  paths: Paths,
  { text }: FollowUp,
): Promise<{ input: StoryDraft; id: string }> {
  const input = await readText(text);
  const ids = new Set([...listIds(paths), ...listArchived(paths)]);
  const isTaken = (id: string) => ids.has(id);
  return { input, id: isTaken(input.id) ? deriveFreeId(input.id, 'story', isTaken) : input.id };
}

const readText = async (text: string): Promise<StoryDraft> =>
  StoryDraft.parse((await parseDraft(text, 'draft.md')).input);

/**
 * Whether an earlier try created the story. Another story may have taken the id since, with another title. The title
 * of the draft itself may be cut, so the one of its text counts.
 */
async function isThere(paths: Paths, { story = '', text, faults }: FollowUp): Promise<boolean> {
  if (!isId(story) || faults.length > 0 || !findStoryHome(paths, story)) return false;
  const { title } = await readText(text);
  return loadStory(paths, story).story.title === title;
}
