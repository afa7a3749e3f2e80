import { mkdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Epic } from '@saga-ai/types/epic';
import { Epic as EpicSchema } from '@saga-ai/types/epic';
import type { Problem } from '@saga-ai/types/problem';
import { SagaError, toWriteError } from '../errors.ts';
import { epicFile, mainStoryFolder, type Paths, storyFile, taskFile } from '../project/paths.ts';
import { checkPlan } from '../rules/check-plan.ts';
import { type Plantation, readDraft } from '../rules/read-draft.ts';
import { listArchived } from './archived.ts';
import { syncFolder, writeDurably } from './atomic-write.ts';
import { readEpics } from './epics.ts';
import { loadJsonFile, toError } from './json-file.ts';
import { editJson, formatJson } from './json-text.ts';
import { listFolder } from './list-folder.ts';
import { listIds } from './list-ids.ts';
import { loadOverview } from './overview.ts';
import { withProjectLock } from './story-lock.ts';

export interface Created {
  epic?: string;
  stories: string[];
  tasks: number;
}

/** Turns a draft into files: all of them, or none and every reason why. */
export async function createFromDraft(paths: Paths, input: unknown): Promise<Created> {
  const result = readDraft(input);
  if ('problems' in result) throw toError(result.problems);
  const { plantation } = result;
  await withProjectLock(paths, async () => {
    finishInterrupted(paths);
    requireFreeIds(paths, plantation);
    const epics = plantedEpics(paths, plantation);
    await requireSoundPlan(paths, plantation, epics);
    plant(paths, plantation, epics);
  });
  return {
    ...(plantation.epic ? { epic: plantation.epic.id } : {}),
    stories: plantation.stories.map(({ story }) => story.id),
    tasks: plantation.stories.reduce((sum, { tasks }) => sum + tasks.length, 0),
  };
}

function requireFreeIds(paths: Paths, { epic, stories }: Plantation): void {
  const archived = listArchived(paths);
  const taken = new Set([...listIds(paths), ...archived]);
  const ids = [...(epic ? [epic.id] : []), ...stories.map(({ story }) => story.id)];
  const problems = ids.flatMap((id): Problem[] => {
    if (!taken.has(id)) {
      taken.add(id);
      return [];
    }
    const where = archived.has(id) ? 'in the archive' : 'in this project or twice in the draft';
    return [
      {
        code: 'already-exists',
        message: `The id ${id} is taken ${where}.`,
        hint: 'Choose another id: stories, epics and the archive share one set.',
      },
    ];
  });
  if (problems.length > 0) throw toError(problems);
}

/** The epic files to write, by id: the new one, or the one a single story joins. */
function plantedEpics(paths: Paths, { epic, joins }: Plantation): Map<string, string> {
  if (epic) return new Map([[epic.id, formatJson(epic)]]);
  if (!joins) return new Map();
  const path = epicFile(paths, joins.epicId);
  if (!statSync(path, { throwIfNoEntry: false })) {
    throw new SagaError(
      'unknown-id',
      `The draft names epic ${joins.epicId}, which does not exist.`,
      'Create the epic first, or leave "epic" out.',
    );
  }
  const { text, value } = loadJsonFile(paths.root, path, EpicSchema);
  const children = [...value.children, { id: joins.storyId, blockedBy: joins.blockedBy }];
  return new Map([[joins.epicId, editJson(text, { children })]]);
}

/** Refuses what the draft would break; what was broken before is not its fault. */
async function requireSoundPlan(
  paths: Paths,
  plantation: Plantation,
  texts: Map<string, string>,
): Promise<void> {
  const overview = await loadOverview(paths);
  const known = overview.stories.map(({ id, epic, home }) => ({
    id,
    epic: epic ?? undefined,
    file: home,
  }));
  const { epics } = readEpics(paths);
  const rewritten = [...texts.values()].map((text) => JSON.parse(text) as Epic);
  const check = (stories: typeof known, all: Epic[]) =>
    checkPlan({
      stories,
      epics: all,
      archived: listArchived(paths),
      epicFileOf: (id) => `epic ${id}`,
    });
  const before = new Set(check(known, epics).map(({ message }) => message));
  const planted = plantation.stories.map(({ story }) => ({
    id: story.id,
    epic: story.epic,
    file: `story ${story.id}`,
  }));
  const after = check(
    [...known, ...planted],
    [...epics.filter(({ id }) => !texts.has(id)), ...rewritten],
  ).filter(({ message }) => !before.has(message));
  if (after.length > 0) throw toError(after);
}

const COMMITTED = 'committed';

/**
 * Everything is written to a staging folder and synced there; from the moment it is marked
 * committed, whoever next holds the lock finishes the moves. Before that, it never happened.
 */
function plant(paths: Paths, plantation: Plantation, epics: Map<string, string>): void {
  const stage = join(paths.staging, `${Date.now().toString(36)}-${process.pid}`);
  try {
    mkdirSync(join(stage, 'epics'), { recursive: true });
    for (const { story, tasks } of plantation.stories) {
      const folder = join(stage, 'stories', story.id);
      mkdirSync(folder, { recursive: true });
      writeDurably(storyFile(folder), formatJson(story));
      for (const task of tasks) writeDurably(taskFile(folder, task.id), formatJson(task));
      syncFolder(folder);
    }
    for (const [id, text] of epics) writeDurably(join(stage, 'epics', `${id}.json`), text);
    mkdirSync(paths.stories, { recursive: true });
    mkdirSync(paths.epics, { recursive: true });
    writeDurably(join(stage, COMMITTED), '');
    syncFolder(stage);
  } catch (error) {
    rmSync(stage, { recursive: true, force: true });
    throw toWriteError(error, paths.saga);
  }
  const moved: string[] = [];
  try {
    move(paths, stage, (folder) => moved.push(folder));
  } catch (error) {
    // The file system refused a move: take back exactly what was moved, and nothing else.
    for (const folder of [...moved, stage]) rmSync(folder, { recursive: true, force: true });
    throw toWriteError(error, paths.stories);
  }
}

function move(paths: Paths, stage: string, note: (folder: string) => void = () => {}): void {
  for (const id of listFolder(stage, join(stage, 'stories'))) {
    const folder = mainStoryFolder(paths, id);
    renameSync(join(stage, 'stories', id), folder);
    note(folder);
  }
  syncFolder(paths.stories);
  for (const name of listFolder(stage, join(stage, 'epics'))) {
    renameSync(join(stage, 'epics', name), join(paths.epics, name));
  }
  syncFolder(paths.epics);
  rmSync(stage, { recursive: true, force: true });
}

/** Completes or forgets what a killed create left; the caller holds the project lock. */
export function finishInterrupted(paths: Paths): void {
  for (const name of listFolder(paths.root, paths.staging)) {
    const stage = join(paths.staging, name);
    if (statSync(join(stage, COMMITTED), { throwIfNoEntry: false })) move(paths, stage);
    else rmSync(stage, { recursive: true, force: true });
  }
}

/** A committed create that was cut off: some of its files may not be in place yet. */
export function hasInterrupted(paths: Paths): boolean {
  return listFolder(paths.root, paths.staging).some((name) =>
    statSync(join(paths.staging, name, COMMITTED), { throwIfNoEntry: false }),
  );
}
