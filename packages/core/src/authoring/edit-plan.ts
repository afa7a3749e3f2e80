import { requireIdle } from '../plan/story-lock.ts';
import type { Paths } from '../project/paths.ts';
import { editText } from './edit-text.ts';
import type { ParsedDraft } from './parse-draft.ts';
import {
  checkEdit,
  type EditedPlan,
  openPlanDocument,
  type SaveOptions,
  saveEdit,
} from './plan-document.ts';
import { createPlanLanguage } from './write-draft.ts';

/**
 * Lets a person edit a story with its tasks, or an epic with its stories, as one Markdown document. All files change
 * together or none does. `keep` is called with the files that will be removed, before they are removed.
 */
export async function editPlan(
  paths: Paths,
  id: string,
  editor: () => string,
  keep: SaveOptions['keep'],
): Promise<EditedPlan> {
  const document = await openPlanDocument(paths, id);
  for (const story of document.stories) requireIdle(paths, story);
  const before = { name: `${id}.md`, text: document.text };
  const language = createPlanLanguage('Not saved', async (parsed) => {
    await checkEdit(paths, document, parsed);
    return parsed;
  });
  const edited = await editText<ParsedDraft>(before, language, editor());
  if (!edited)
    return { changed: false, files: [], removed: [], created: [], stories: [], problems: [] };
  const { requireUnchanged, value } = edited;
  const saved = await saveEdit(paths, document, value, { requireUnchanged, keep });
  edited.discard();
  return saved;
}
