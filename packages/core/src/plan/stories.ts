import { readdirSync } from 'node:fs';
import { isId } from '@saga-ai/types/plan/ids';
import { EVIDENCE_FILE, STORY_FILE } from '@saga-ai/types/plan/plan-paths';
import { Story } from '@saga-ai/types/plan/story';
import { Task } from '@saga-ai/types/plan/task';
import { isPlainStory } from '@saga-ai/types/words/plain';
import type { Problem } from '@saga-ai/types/words/problem';
import { SagaError } from '../errors.ts';
import { readJsonFile, saveJsonFields } from '../files/json-file.ts';
import type { Changes } from '../files/json-text.ts';
import { displayPath } from '../project/display-path.ts';
import { type Paths, storyFile, taskFile } from '../project/paths.ts';
import { findStoryHome } from '../project/story-home.ts';
import { notFound, notFoundTask } from './not-found.ts';
import { scanStory } from './scan-story.ts';
import { withStoryLock } from './story-lock.ts';

/** A story with everything in its folder. */
export interface LoadedStory {
  story: Story;
  tasks: Task[];
  journal: string;
  /** The absolute path of the live folder. */
  home: string;
  problems: Problem[];
  /** Problems about fields that SAGA does not know, which have no effect. */
  unknown: Problem[];
}

/** Reads a story: its valid parts and its problems. Throws only if `story.json` cannot be read. */
export function loadStory(paths: Paths, storyId: string): LoadedStory {
  if (!isId(storyId)) throw notFound(paths, storyId);
  const home = findStoryHome(paths, storyId);
  if (!home) throw notFound(paths, storyId);
  const scan = scanStory(paths.root, home, storyId);
  const { story, tasks, journal = '', problems, unknown } = scan;
  if (story) return { story, tasks, journal, home, problems, unknown };
  const [first] = problems;
  throw new SagaError(
    first?.code ?? 'invalid-file',
    first?.message ?? `${displayPath(paths.root, storyFile(home))} cannot be read.`,
    first?.hint ?? 'Restore it from git.',
    { problems },
  );
}

/**
 * Returns the globs of files that a story may write, or [] if it may write all files or cannot be read. Reads one file.
 */
export function loadWriteFiles(paths: Paths, storyId: string): readonly string[] {
  const home = findStoryHome(paths, storyId);
  const read =
    home === undefined
      ? undefined
      : readJsonFile<Story>(paths.root, storyFile(home), Story, isPlainStory);
  return read && 'value' in read ? (read.value.writeFiles ?? []) : [];
}

/** Changes fields of one task file. Returns whether anything changed. */
export async function saveTaskFields(
  paths: Paths,
  storyId: string,
  taskId: string,
  changes: Changes,
): Promise<boolean> {
  return withStoryLock(paths, storyId, (home) => {
    requireTask(home, storyId, taskId);
    return saveTaskFieldsAt(paths, home, taskId, changes);
  });
}

/** Like saveTaskFields, for a caller that holds the story's lock and knows that the task exists. */
export function saveTaskFieldsAt(
  paths: Paths,
  home: string,
  taskId: string,
  changes: Changes,
): boolean {
  return saveJsonFields(paths.root, taskFile(home, taskId), Task, changes);
}

export async function saveStoryFields(
  paths: Paths,
  storyId: string,
  changes: Changes,
): Promise<boolean> {
  return withStoryLock(paths, storyId, (home) =>
    saveJsonFields(paths.root, storyFile(home), Story, changes),
  );
}

/** Throws if the task does not exist. The id comes from outside, so paths are built only for existing tasks. */
function requireTask(home: string, storyId: string, taskId: string): void {
  const ids = readdirSync(home)
    .filter((name) => name.endsWith('.json') && ![STORY_FILE, EVIDENCE_FILE].includes(name))
    .map((name) => name.slice(0, -'.json'.length));
  if (!ids.includes(taskId)) throw notFoundTask(storyId, taskId, ids);
}
