import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { Epic } from '@saga-ai/types/plan/epic';
import { EVIDENCE_FILE } from '@saga-ai/types/plan/plan-paths';
import { SagaError } from '../errors.ts';
import { loadJsonFile } from '../files/json-file.ts';
import { editJson } from '../files/json-text.ts';
import type { Item } from '../plan/resolve.ts';
import type { StagedFiles } from '../plan/staging.ts';
import { epicFile, type Paths } from '../project/paths.ts';
import { findStoryHome } from '../project/story-home.ts';
import { compareStory, findChanges, placeChildren, type StoryTexts } from './compare-plans.ts';
import type { DraftFiles } from './read-draft.ts';

/** Returns the files that change. Throws if the document changes what an edit may not change. */
export function stageEdit(
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
      `An edit cannot remove a story. Put its heading back, with {#${missing[0]}} behind the title if the title changed.`,
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

/** The texts of a story's files, as they are on disk. */
export function readTexts(paths: Paths, id: string): StoryTexts {
  const home = findStoryHome(paths, id) ?? '';
  const names = readdirSync(home).filter((it) => it.endsWith('.json') && it !== EVIDENCE_FILE);
  return {
    id,
    texts: new Map(
      names.map((it) => [basename(it, '.json'), readFileSync(join(home, it), 'utf8')]),
    ),
  };
}
