import type { EpicDraft, StoryDraft } from '@saga-ai/types/plan/draft';
import type { Problem } from '@saga-ai/types/words/problem';
import { toError } from '../files/json-file.ts';
import { type Item, loadItem } from '../plan/resolve.ts';
import type { StagedFiles } from '../plan/staging.ts';
import type { Paths } from '../project/paths.ts';
import { findUnread, loadAsDraft } from './as-markdown.ts';
import { requireFits } from './create.ts';
import type { ParsedDraft } from './parse-draft.ts';
import {
  describeStaged,
  type KeepRemoved,
  listRemoved,
  placeEdit,
  type RemovedFile,
} from './place-edit.ts';
import { readDraft } from './read-draft.ts';
import { stageEdit } from './stage-edit.ts';

/** A story with its tasks, or an epic with its stories, as one document that a person may change. */
export interface PlanDocument {
  id: string;
  item: Item;
  draft: EpicDraft | StoryDraft;
  /** The document as Markdown. */
  text: string;
  /** The stories in it. */
  stories: string[];
}

export interface EditedPlan {
  changed: boolean;
  /** What changed, one line for each file. */
  files: string[];
  /** Tasks that were removed. */
  removed: RemovedFile[];
  /** Stories that are new. */
  created: string[];
  /** All stories of the document. */
  stories: string[];
  problems: Problem[];
}

/** What an edit can make of the plan. */
interface Outcome {
  staged: StagedFiles;
  unknown: Problem[];
}

/** Opens a document. Throws if a part of it cannot be read, because saving the document would remove that part. */
export async function openPlanDocument(paths: Paths, id: string): Promise<PlanDocument> {
  // Loaded only here: other commands need no Markdown.
  const { writePlan } = await import('../plan-text/write-plan.ts');
  const item = loadItem(paths, id);
  const unread = findUnread(paths, item);
  if (unread.length > 0) throw toError(unread);
  const draft = loadAsDraft(paths, item);
  const stories =
    'stories' in draft ? (draft.stories as { id: string }[]).map((it) => it.id) : [id];
  return { id, item, draft, text: writePlan(draft), stories };
}

/** Throws what `saveEdit` would throw because of the edited draft, and saves nothing. */
export async function checkEdit(
  paths: Paths,
  document: PlanDocument,
  { input, locate }: ParsedDraft,
): Promise<Outcome> {
  const result = readDraft(input);
  if ('problems' in result) throw toError(result.problems.map(locate));
  const staged = stageEdit(paths, document.item, result.files, document.stories);
  await requireFits(paths, staged);
  return { staged, unknown: result.unknown };
}

export interface SaveOptions {
  /** Throws if the document has changed since the person began. */
  requireUnchanged(current: string): void;
  /** Called with the files that will be removed, before they are removed. */
  keep: KeepRemoved;
}

/** Saves an edited draft: all files change together or none does. */
export async function saveEdit(
  paths: Paths,
  { id, stories }: PlanDocument,
  edited: ParsedDraft,
  { requireUnchanged, keep }: SaveOptions,
): Promise<EditedPlan> {
  const saved = Promise.withResolvers<EditedPlan>();
  await placeEdit(paths, stories, keep, async () => {
    const current = await openPlanDocument(paths, id);
    requireUnchanged(current.text);
    const outcome = await checkEdit(paths, current, edited);
    saved.resolve(describeEdited(paths, outcome, stories));
    return outcome.staged;
  });
  return saved.promise;
}

function describeEdited(
  paths: Paths,
  { staged, unknown }: Outcome,
  known: readonly string[],
): EditedPlan {
  const files = describeStaged(staged);
  const created = staged.stories.map(({ story }) => story.id);
  return {
    changed: files.length + created.length > 0,
    files,
    removed: listRemoved(paths, staged),
    created,
    stories: [...known, ...created],
    problems: unknown,
  };
}
