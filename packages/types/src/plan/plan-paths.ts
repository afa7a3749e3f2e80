import { isId, RESERVED_TASK_IDS } from './ids.ts';
import { JOURNAL_FILE } from './journal.ts';

/** Paths of the plan as git names them: below the top of a repository, with slashes. */
export const PLAN_FOLDER = '.saga';
export const STORY_FILE = 'story.json';
/** The result of the gate. The file is in the same folder as the tasks and is not a task. */
export const EVIDENCE_FILE = 'evidence.json';
/** In this file a run proposes stories. SAGA takes it out of the story's folder after the run. */
export const FOLLOW_UPS_FILE = 'follow-ups.md';

export const STORIES_PATH = `${PLAN_FOLDER}/stories`;
export const storyPath = (storyId: string): string => `${STORIES_PATH}/${storyId}`;
export const journalPath = (storyId: string): string => `${storyPath(storyId)}/${JOURNAL_FILE}`;
export const followUpsPath = (storyId: string): string =>
  `${storyPath(storyId)}/${FOLLOW_UPS_FILE}`;
export const storyFilePath = (storyId: string): string => `${storyPath(storyId)}/${STORY_FILE}`;
export const epicFilePath = (epicId: string): string => `${PLAN_FOLDER}/epics/${epicId}.json`;

/** Whether a path lies in the story's own folder. */
export const isInStory = (path: string, storyId: string): boolean =>
  path.startsWith(`${storyPath(storyId)}/`);
/** Whether a path is in the plan. Runs work on files outside the plan. */
export const isInPlan = (path: string): boolean => path.startsWith(`${PLAN_FOLDER}/`);

/** Like isInPlan, for a disk that does not tell small letters from capitals. */
export const isInPlanFolded = (path: string): boolean => isInPlan(path.toLowerCase());
/** Whether SAGA reads a path as a file of the plan: of a story, of an epic, or of one in the archive. */
export const isPlanFile = (path: string): boolean =>
  /^\.saga\/(?:stories|epics|archive)\/.*\.json$/.test(path);
/** Returns the story and the task of a task's file; undefined if the path is another. */
export function parseTaskPath(path: string): { story: string; task: string } | undefined {
  const [, story, task] = /^\.saga\/stories\/([^/]+)\/([^/]+)\.json$/.exec(path) ?? [];
  return isId(story) && isId(task) && !RESERVED_TASK_IDS.includes(task)
    ? { story, task }
    : undefined;
}

/** Matches a path where older versions made worktrees. The groups are the project and the next two folders. */
export const IN_OLDER_WORKTREE = /^(.*)\/\.saga\/worktrees\/([^/]+)(?:\/([^/]+))?/;
/** Matches such a worktree anywhere in a text. */
export const OLDER_WORKTREES = /\/[^\s'"]*\/\.saga\/worktrees\/[^/\s'"]+\//g;
