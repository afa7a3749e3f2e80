import { statSync } from 'node:fs';
import type { Epic } from '@saga-ai/types/plan/epic';
import { Epic as EpicSchema } from '@saga-ai/types/plan/epic';
import type { Problem } from '@saga-ai/types/words/problem';
import { SagaError } from '../errors.ts';
import { loadJsonFile, toError } from '../files/json-file.ts';
import { editJson, formatJson } from '../files/json-text.ts';
import { loadOverview } from '../overview/overview.ts';
import { listArchived } from '../plan/archived.ts';
import { checkPlan } from '../plan/check-plan.ts';
import { readEpics } from '../plan/epics.ts';
import { listIds } from '../plan/list-ids.ts';
import { placeTogether, type StagedFiles } from '../plan/staging.ts';
import { withProjectLock } from '../plan/story-lock.ts';
import { epicFile, type Paths } from '../project/paths.ts';
import { type DraftFiles, readDraft } from './read-draft.ts';

export interface Created {
  epic?: string;
  stories: string[];
  tasks: number;
  /** Fields that SAGA does not know. They were kept. */
  unknown: Problem[];
}

/** Says where in the text of a draft a problem is. */
type Locate = (problem: Problem) => Problem;

/** Turns a draft into files: writes all of them, or none and reports every reason. */
export async function createFromDraft(
  paths: Paths,
  input: unknown,
  locate: Locate = (problem) => problem,
): Promise<Created> {
  const result = readDraft(input);
  if ('problems' in result) throw toError(result.problems.map(locate));
  const { files, unknown } = result;
  await withProjectLock(paths, async () => {
    const epics = await withPlaces(locate, () => requireCreatable(paths, files));
    placeTogether(paths, { stories: files.stories, epics });
  });
  return {
    epic: files.epic ? files.epic.id : undefined,
    stories: files.stories.map(({ story }) => story.id),
    tasks: files.stories.reduce((sum, { tasks }) => sum + tasks.length, 0),
    unknown,
  };
}

/** Throws what `createFromDraft` would throw, and creates nothing. */
export async function checkDraft(paths: Paths, input: unknown, locate: Locate): Promise<void> {
  const result = readDraft(input);
  if ('problems' in result) throw toError(result.problems.map(locate));
  await withPlaces(locate, () => requireCreatable(paths, result.files));
}

/** Returns the epic files to write, by id. Throws if the draft does not fit into the project. */
async function requireCreatable(paths: Paths, files: DraftFiles): Promise<Map<string, string>> {
  requireFreeIds(paths, files);
  const epics = buildEpicFiles(paths, files);
  await requireSoundPlan(paths, files.stories, epics);
  return epics;
}

/**
 * Throws if files that are to be written would take an id that is in use, or would cause new problems. The
 * folders of stories `inPlace` exist already.
 */
export async function requireFits(
  paths: Paths,
  { stories, epics }: StagedFiles,
  inPlace: StagedFiles['stories'] = [],
): Promise<void> {
  requireFreeIds(paths, { stories });
  await requireSoundPlan(paths, [...stories, ...inPlace], epics);
}

async function withPlaces<T>(locate: Locate, act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    if (!(error instanceof SagaError) || error.problems.length === 0) throw error;
    throw toError(error.problems.map(locate));
  }
}

function requireFreeIds(
  paths: Paths,
  { epic, stories }: { epic?: Epic; stories: StagedFiles['stories'] },
): void {
  const archived = listArchived(paths);
  const existing = new Set(listIds(paths));
  const taken = new Set([...existing, ...archived]);
  const ids = [...(epic ? [epic.id] : []), ...stories.map(({ story }) => story.id)];
  const problems = ids.flatMap((id): Problem[] => {
    if (!taken.has(id)) {
      taken.add(id);
      return [];
    }
    const inUse = existing.has(id) ? 'already in use in this project' : 'twice in the draft';
    const where = archived.has(id) ? 'already in use in the archive' : inUse;
    return [
      {
        code: 'already-exists',
        message: `The id ${id} is ${where}.`,
        hint: 'Choose another id: stories, epics and the archive share one set.',
        ...(id === epic?.id ? { epic: id } : { story: id }),
      },
    ];
  });
  if (problems.length > 0) throw toError(problems);
}

/**
 * Returns the epic files to write, by id: the new epic, or the existing epic that a single story is
 * added to.
 */
function buildEpicFiles(paths: Paths, { epic, addition }: DraftFiles): Map<string, string> {
  if (epic) return new Map([[epic.id, formatJson(epic)]]);
  if (!addition) return new Map();
  const path = epicFile(paths, addition.epicId);
  if (!statSync(path, { throwIfNoEntry: false })) {
    throw new SagaError(
      'unknown-id',
      `The draft names epic ${addition.epicId}, which does not exist.`,
      'Create the epic first, or leave "epic" out.',
    );
  }
  const { text, value } = loadJsonFile(paths.root, path, EpicSchema);
  const children = [...value.children, { id: addition.storyId, blockedBy: addition.blockedBy }];
  return new Map([[addition.epicId, editJson(text, { children })]]);
}

/** Throws if the draft would cause new problems. Problems that existed before do not count. */
async function requireSoundPlan(
  paths: Paths,
  stories: StagedFiles['stories'],
  texts: ReadonlyMap<string, string>,
): Promise<void> {
  const overview = await loadOverview(paths, null);
  const known = overview.stories.map(({ id, epic, home }) => ({
    id,
    epic: epic ?? undefined,
    file: home,
  }));
  const { epics } = readEpics(paths);
  const rewritten = [...texts.values()].map((text) => JSON.parse(text) as Epic);
  const check = (all: typeof known, epicsNow: Epic[]) =>
    checkPlan({
      stories: all,
      epics: epicsNow,
      archived: listArchived(paths),
      epicFileOf: (id) => `epic ${id}`,
    });
  const before = new Set(check(known, epics).map(({ message }) => message));
  const added = stories.map(({ story }) => ({
    id: story.id,
    epic: story.epic,
    file: `story ${story.id}`,
  }));
  const after = check(
    [...known, ...added],
    [...epics.filter(({ id }) => !texts.has(id)), ...rewritten],
  ).filter(({ message }) => !before.has(message));
  if (after.length > 0) throw toError(after);
}
