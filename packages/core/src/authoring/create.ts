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
import { placeTogether } from '../plan/staging.ts';
import { withProjectLock } from '../plan/story-lock.ts';
import { epicFile, type Paths } from '../project/paths.ts';
import { type Plantation, readDraft } from './read-draft.ts';

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
    requireFreeIds(paths, plantation);
    const epics = plantedEpics(paths, plantation);
    await requireSoundPlan(paths, plantation, epics);
    placeTogether(paths, { stories: plantation.stories, epics });
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
  const overview = await loadOverview(paths, null);
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
