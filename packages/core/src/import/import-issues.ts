import { existsSync } from 'node:fs';
import { Epic } from '@saga-ai/types/plan/epic';
import { requireFits } from '../authoring/create.ts';
import { type DraftFiles, readDraft } from '../authoring/read-draft.ts';
import { SagaError } from '../errors.ts';
import { loadJsonFile, toError } from '../files/json-file.ts';
import { editJson } from '../files/json-text.ts';
import type { Issue } from '../forge/issue.ts';
import { listArchived } from '../plan/archived.ts';
import { listIds } from '../plan/list-ids.ts';
import { placeTogether } from '../plan/staging.ts';
import { withProjectLock } from '../plan/story-lock.ts';
import { epicFile, type Paths } from '../project/paths.ts';
import { findImported } from './find-imported.ts';
import { toStory } from './from-issue.ts';

/** What happened to one issue. */
export interface Imported {
  issue: Issue;
  /** The new story, or the one that the issue became before. */
  story: string;
  tasks: number;
  /** Why nothing was written for it. */
  skipped?: string;
}

export interface ImportOptions {
  /** Add the stories to this epic. */
  epic?: string | undefined;
  /** Say what would be done, and write nothing. */
  isDry: boolean;
}

/** Makes a story of each issue that is not one yet. All of them are written, or none. */
export async function importIssues(
  paths: Paths,
  issues: readonly Issue[],
  { epic, isDry }: ImportOptions,
): Promise<Imported[]> {
  return withProjectLock(paths, async () => {
    const known = findImported(paths);
    const taken = new Set([...listIds(paths), ...listArchived(paths)]);
    const imported: Imported[] = [];
    const stories: DraftFiles['stories'] = [];
    for (const issue of issues) {
      const before = known.get(issue.url);
      if (before) {
        const where = before.isArchived ? 'in the archive' : 'there already';
        const skipped = `${before.id} is ${where}, and stays as it is`;
        imported.push({ issue, story: before.id, tasks: 0, skipped });
        continue;
      }
      const draft = toStory(issue, (id) => taken.has(id));
      taken.add(draft.id);
      known.set(issue.url, { id: draft.id, isArchived: false });
      const read = readDraft(draft);
      if ('problems' in read) throw toError(read.problems);
      const [made] = read.files.stories;
      if (!made) continue;
      stories.push({ ...made, story: { ...made.story, ...(epic === undefined ? {} : { epic }) } });
      imported.push({ issue, story: draft.id, tasks: made.tasks.length });
    }
    const ids = stories.map(({ story }) => story.id);
    const epics = epic === undefined || ids.length === 0 ? new Map() : addTo(paths, epic, ids);
    await requireFits(paths, { stories, epics });
    if (!isDry && ids.length > 0) placeTogether(paths, { stories, epics });
    return imported;
  });
}

/** Returns the text of the epic's file with the new stories in it. */
function addTo(paths: Paths, epic: string, ids: readonly string[]): Map<string, string> {
  const path = epicFile(paths, epic);
  if (!existsSync(path)) {
    const hint = 'Create it first: saga create --template epic. Or leave --epic out.';
    throw new SagaError('unknown-id', `There is no epic ${epic}. Nothing was written.`, hint);
  }
  const { text, value } = loadJsonFile(paths.root, path, Epic);
  const children = [...value.children, ...ids.map((id) => ({ id, blockedBy: [] }))];
  return new Map([[epic, editJson(text, { children })]]);
}
