import { existsSync } from 'node:fs';
import type { Epic } from '@saga-ai/types/plan/epic';
import type { Problem } from '@saga-ai/types/words/problem';
import { requireFits } from '../authoring/create.ts';
import { toError } from '../files/json-file.ts';
import { formatJson } from '../files/json-text.ts';
import { readEpics } from '../plan/epics.ts';
import { scanStory } from '../plan/scan-story.ts';
import { placeTogether, type StagedChange, type StagedFiles } from '../plan/staging.ts';
import { withProjectLock } from '../plan/story-lock.ts';
import { mainStoryFolder, type Paths, storyFile } from '../project/paths.ts';
import { findStoryHome } from '../project/story-home.ts';
import type { Carried, CarriedStory, OldFile } from './carried.ts';
import { type Format, findOldPlans, loadOldFiles, type OldPlan } from './formats.ts';
import { untie } from './untie.ts';

/** What `saga migrate` would do with the plans of one format, or did. */
export interface Migration extends OldPlan {
  carried: Carried;
  /** Epics and stories that were carried over before. */
  known: string[];
}

/** Reads every older plan of the project, and returns what each would become. Changes nothing. */
export async function prepareMigration(
  paths: Paths,
  formats?: readonly Format[],
): Promise<Migration[]> {
  const taken = loadTaken(paths);
  const migrations: Migration[] = [];
  for (const plan of findOldPlans(paths, formats)) {
    const read = await loadReader(plan.format);
    const carried = tidy(read(loadOldFiles(paths, plan.files)));
    migrations.push({ ...plan, ...leaveKnown(carried, taken) });
  }
  return migrations;
}

/** Writes what was prepared: all of it, or nothing. */
export async function applyMigration(
  paths: Paths,
  migrations: readonly Migration[],
): Promise<void> {
  const all = migrations.map(({ carried }) => carried);
  const stories = all.flatMap((it) => it.stories);
  const epics = new Map(all.flatMap((it) => it.epics).map((epic) => [epic.id, formatJson(epic)]));
  if (stories.length + epics.size === 0) return;
  await withProjectLock(paths, async () => {
    const isInPlace = ({ story }: CarriedStory) => existsSync(mainStoryFolder(paths, story.id));
    const inPlace = stories.filter(isInPlace);
    const staged: StagedFiles = {
      stories: stories.filter((it) => !isInPlace(it)),
      epics,
      changes: inPlace.flatMap(listChanges),
    };
    requireUnwritten(paths, inPlace, epics);
    await requireFits(paths, staged, inPlace);
    placeTogether(paths, staged);
  });
}

/** Readers are loaded when they are needed: one of them brings YAML, another Markdown. */
async function loadReader(format: Format): Promise<(files: readonly OldFile[]) => Carried> {
  switch (format) {
    case 'markdown':
      return (await import('./from-markdown-stories.ts')).fromMarkdownStories;
    case 'task-lists':
      return (await import('./from-task-lists.ts')).fromTaskLists;
    case 'task-master':
      return (await import('./from-task-master.ts')).fromTaskMaster;
    case 'beads':
      return (await import('./from-beads.ts')).fromBeads;
    default:
      return (await import('./from-spec-kit.ts')).fromSpecKit;
  }
}

function tidy(carried: Carried): Carried {
  const { notes } = carried;
  return {
    ...carried,
    epics: carried.epics.map((epic) => ({
      ...epic,
      children: untie(epic.children, epic.id, notes),
    })),
    stories: carried.stories.map((it) => ({ ...it, tasks: untie(it.tasks, it.story.id, notes) })),
  };
}

interface Taken {
  epics: ReadonlyMap<string, Epic>;
  /** The title of a story that exists. */
  titleOf(id: string): string | undefined;
}

function loadTaken(paths: Paths): Taken {
  const epics = new Map(readEpics(paths).epics.map((epic) => [epic.id, epic]));
  return {
    epics,
    titleOf: (id) => {
      const home = findStoryHome(paths, id);
      if (home === undefined || !existsSync(storyFile(home))) return undefined;
      return scanStory(paths.root, home, id).story?.title;
    },
  };
}

/** Leaves out items that were carried over before: those whose id and title exist already. */
function leaveKnown(carried: Carried, taken: Taken): Pick<Migration, 'carried' | 'known'> {
  const epics = carried.epics.filter(({ id, title }) => taken.epics.get(id)?.title !== title);
  const stories = carried.stories.filter(({ story }) => taken.titleOf(story.id) !== story.title);
  const left = new Set([...epics.map(({ id }) => id), ...stories.map(({ story }) => story.id)]);
  const all = [
    ...carried.epics.map(({ id }) => id),
    ...carried.stories.map(({ story }) => story.id),
  ];
  return { carried: { ...carried, epics, stories }, known: all.filter((id) => !left.has(id)) };
}

/** The folder of an old story is the folder of the new one: its files are added there. */
function listChanges({ story, tasks }: CarriedStory): StagedChange[] {
  const add = (name: string, value: object): StagedChange => ({
    ...{ story: story.id, name, before: null, after: formatJson(value) },
  });
  return [add('story', story), ...tasks.map((task) => add(task.id, task))];
}

function requireUnwritten(
  paths: Paths,
  inPlace: readonly CarriedStory[],
  epics: ReadonlyMap<string, string>,
): void {
  const known = new Set(readEpics(paths).epics.map(({ id }) => id));
  const taken = [
    ...inPlace
      .map(({ story }) => story.id)
      .filter((id) => existsSync(storyFile(mainStoryFolder(paths, id)))),
    ...[...epics.keys()].filter((id) => known.has(id)),
  ];
  if (taken.length === 0) return;
  throw toError(
    taken.map(
      (id): Problem => ({
        code: 'already-exists',
        message: `The id ${id} is already in use in this project, by something with another title.`,
        hint: 'Rename one of the two, then run saga migrate again. Nothing was written.',
      }),
    ),
  );
}
