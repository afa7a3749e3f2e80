import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { withoutMark } from '@saga-ai/types/words/without-mark';
import { listArchived } from '../plan/archived.ts';
import { listIds } from '../plan/list-ids.ts';
import { type Paths, storyFile } from '../project/paths.ts';
import { findStoryHome } from '../project/story-home.ts';

/** The stories that came from an issue, by its address; also those in the archive. */
export function findImported(paths: Paths): Map<string, { id: string; isArchived: boolean }> {
  const found = new Map<string, { id: string; isArchived: boolean }>();
  const look = (id: string, home: string | undefined, isArchived: boolean) => {
    const issue = home === undefined ? undefined : readIssueOf(home);
    if (issue !== undefined) found.set(issue, { id, isArchived });
  };
  for (const id of listArchived(paths)) look(id, join(paths.archivedStories, id), true);
  for (const id of listIds(paths)) look(id, findStoryHome(paths, id), false);
  return found;
}

/** Returns undefined if the file cannot be read. `saga check` reports that. */
function readIssueOf(home: string): string | undefined {
  try {
    const { issue } = JSON.parse(withoutMark(readFileSync(storyFile(home), 'utf8'))) as {
      issue?: unknown;
    };
    return typeof issue === 'string' ? issue : undefined;
  } catch {
    return undefined;
  }
}
