import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { EpicDraft, StoryDraft } from '@saga-ai/types/plan/draft';
import { Epic } from '@saga-ai/types/plan/epic';
import { EVIDENCE_FILE } from '@saga-ai/types/plan/plan-paths';
import type { Problem } from '@saga-ai/types/words/problem';
import { SagaError } from '../errors.ts';
import { loadJsonFile, toError } from '../files/json-file.ts';
import { editJson } from '../files/json-text.ts';
import { type Item, loadItem } from '../plan/resolve.ts';
import { type PlanChange, placeTogether, type StagedFiles } from '../plan/staging.ts';
import { requireIdle, withProjectLock, withStoryLock } from '../plan/story-lock.ts';
import { epicFile, type Paths } from '../project/paths.ts';
import { findStoryHome } from '../project/story-home.ts';
import { findUnread, loadAsDraft } from './as-markdown.ts';
import { compareStory, findChanges, placeChildren, type StoryTexts } from './compare-plans.ts';
import { requireFits } from './create.ts';
import type { ParsedDraft } from './parse-draft.ts';
import { type DraftFiles, readDraft } from './read-draft.ts';

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
  /** Tasks that were removed: where each was, and its path in a story's folder. */
  removed: { from: string; path: string }[];
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

/** Opens a document. Throws if a part of it cannot be read: it would be taken for removed. */
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
  const staged = compare(paths, document.item, result.files, document.stories);
  await requireFits(paths, staged);
  return { staged, unknown: result.unknown };
}

export interface SaveOptions {
  /** Throws if the document is another one than the person began with. */
  requireUnchanged(current: string): void;
  /** Is told the files that will be removed, before they are. */
  keep(removed: EditedPlan['removed']): Promise<void>;
}

/** Saves an edited draft: all files change together or none does. */
export async function saveEdit(
  paths: Paths,
  document: PlanDocument,
  edited: ParsedDraft,
  { requireUnchanged, keep }: SaveOptions,
): Promise<EditedPlan> {
  const { id, stories } = document;
  const save = async (): Promise<EditedPlan> => {
    const current = await openPlanDocument(paths, id);
    requireUnchanged(current.text);
    for (const story of stories) requireIdle(paths, story);
    const outcome = await checkEdit(paths, current, edited);
    const description = describeEdited(paths, outcome, stories);
    if (!description.changed) return description;
    await keep(description.removed);
    placeTogether(paths, outcome.staged);
    return description;
  };
  return withProjectLock(paths, () => lockAll(paths, stories.toSorted(), save));
}

async function lockAll<T>(paths: Paths, ids: readonly string[], act: () => Promise<T>): Promise<T> {
  const [first, ...rest] = ids;
  if (first === undefined) return act();
  return withStoryLock(paths, first, () => lockAll(paths, rest, act));
}

/** Returns the files that change. Throws if the document changes what an edit may not change. */
function compare(
  paths: Paths,
  item: Item,
  files: DraftFiles,
  known: readonly string[],
): StagedFiles {
  const own = item.kind === 'epic' ? item.epic.id : item.story.id;
  requireSame(
    own,
    item.kind === 'epic' ? files.epic?.id : files.epic ? undefined : files.stories[0]?.story.id,
  );
  const isKnown = ({ story }: { story: { id: string } }) => known.includes(story.id);
  const missing = known.filter((id) => !files.stories.some(({ story }) => story.id === id));
  if (missing.length > 0) {
    throw new SagaError(
      'edit-refused',
      `Story ${missing.join(', ')} is missing in the document.`,
      `An edit removes no story. Put its heading back, with {#${missing[0]}} behind the title if the title changed.`,
    );
  }
  const changes = files.stories.filter(isKnown).flatMap((it) => {
    const texts = readTexts(paths, it.story.id);
    const epic = (JSON.parse(texts.texts.get('story') ?? '{}') as { epic?: string }).epic;
    if (epic !== it.story.epic) {
      throw new SagaError(
        'edit-refused',
        `The document moves story ${it.story.id} to another epic.`,
        epic === undefined ? 'Remove **Epic:**.' : `Keep **Epic:** ${epic}.`,
      );
    }
    return compareStory(texts, it);
  });
  return {
    stories: files.stories.filter((it) => !isKnown(it)),
    epics: compareEpics(paths, item, files),
    changes,
  };
}

function requireSame(before: string, after: string | undefined): void {
  if (before === after) return;
  throw new SagaError(
    'edit-refused',
    `The id may not change (${before} became ${after ?? 'something else'}).`,
    `Write {#${before}} behind the title.`,
  );
}

/** The epic that changes: the one that is edited, or the one in which a single story waits for others. */
function compareEpics(paths: Paths, item: Item, files: DraftFiles): Map<string, string> {
  const id = item.kind === 'epic' ? item.epic.id : files.addition?.epicId;
  if (id === undefined) return new Map();
  const { text, value } = loadJsonFile(paths.root, epicFile(paths, id), Epic);
  const { addition } = files;
  const isStory = new Set(files.stories.map(({ story }) => story.id));
  // Fields of a child that SAGA does not know stay with it.
  const more = new Map(value.children.map((child) => [child.id, child]));
  const listed = (files.epic?.children ?? []).map((child) => ({ ...more.get(child.id), ...child }));
  const after: Epic = files.epic
    ? {
        ...files.epic,
        children: placeChildren(
          value.children,
          listed.filter((it) => isStory.has(it.id)),
          listed.filter((it) => !isStory.has(it.id)),
        ),
      }
    : {
        ...value,
        children: value.children.map((child) =>
          child.id === addition?.storyId ? { ...child, blockedBy: addition.blockedBy } : child,
        ),
      };
  const edited = editJson(text, findChanges(text, after));
  return edited === text ? new Map() : new Map([[id, edited]]);
}

function readTexts(paths: Paths, id: string): StoryTexts {
  const home = findStoryHome(paths, id) ?? '';
  const names = readdirSync(home).filter((it) => it.endsWith('.json') && it !== EVIDENCE_FILE);
  return {
    id,
    texts: new Map(
      names.map((it) => [basename(it, '.json'), readFileSync(join(home, it), 'utf8')]),
    ),
  };
}

function listRemoved(paths: Paths, changes: readonly PlanChange[]): EditedPlan['removed'] {
  return changes.flatMap(({ story, name, before, after }) => {
    const path = `${story}/${name}.json`;
    const from = join(findStoryHome(paths, story) ?? '', `${name}.json`);
    return after === null && before !== null ? [{ from, path }] : [];
  });
}

function describeEdited(
  paths: Paths,
  { staged, unknown }: Outcome,
  known: readonly string[],
): EditedPlan {
  const changes = staged.changes ?? [];
  return {
    changed: changes.length + staged.stories.length + staged.epics.size > 0,
    files: [
      ...[...staged.epics.keys()].map((id) => `epic ${id}`),
      ...changes.map(({ story, name, before, after }) => {
        const what = after === null ? 'removed' : before === null ? 'new' : 'changed';
        return name === 'story' ? `story ${story}: ${what}` : `task ${story}/${name}: ${what}`;
      }),
    ],
    removed: listRemoved(paths, changes),
    created: staged.stories.map(({ story }) => story.id),
    stories: [...known, ...staged.stories.map(({ story }) => story.id)],
    problems: unknown,
  };
}
