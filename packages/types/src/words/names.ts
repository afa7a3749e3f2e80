import { isId } from '../plan/ids.ts';

/** Names of branches and sessions of a story or an epic. Each `format` function of a name has its `parse` function. */

export const formatStoryBranch = (storyId: string) => `story/${storyId}`;
export const parseStoryBranch = (branch: string) => parseId(/^story\/(.*)$/.exec(branch)?.[1]);

/** The branch of a rehearsal. It is never pushed to a real remote, and it is removed afterwards. */
export const formatRehearsalBranch = (storyId: string) => `rehearsal/${storyId}`;
export const parseRehearsalBranch = (branch: string) =>
  parseId(/^rehearsal\/(.*)$/.exec(branch)?.[1]);

export const formatEpicBranch = (epicId: string) => `epic/${epicId}`;
export const parseEpicBranch = (branch: string) => parseId(/^epic\/(.*)$/.exec(branch)?.[1]);

/** The subject of the commit with which the branch of an epic begins. git finds it by this text. */
export const formatEpicBeginning = (epicId: string) => `saga: begin epic ${epicId}`;

/**
 * The default folder of worktrees: beside the repository, with its name. Test runners and bundlers of the
 * main checkout do not search there, and no part of the path is a hidden folder.
 */
export const WORKTREE_FOLDER = '../<repository>.stories';

export interface StampedName {
  storyId: string;
  /** Milliseconds since the epoch. */
  timestamp: number;
}

export const formatSession = ({ storyId, timestamp }: StampedName) =>
  `saga-story-${storyId}-${timestamp}`;
export const parseSession = (name: string) => parseStamped(/^saga-story-(.+)-(\d+)$/.exec(name));

/** The session of the scheduler of an epic. `storyId` is the id of the epic. */
export const formatEpicSession = ({ storyId, timestamp }: StampedName) =>
  `saga-epic-${storyId}-${timestamp}`;
export const parseEpicSession = (name: string) => parseStamped(/^saga-epic-(.+)-(\d+)$/.exec(name));

/** The session of a story or of an epic. */
export const parseAnySession = (name: string) => parseSession(name) ?? parseEpicSession(name);

export const formatTaskListId = ({ storyId, timestamp }: StampedName) =>
  `saga__${storyId}__${timestamp}`;
export const parseTaskListId = (name: string) => parseStamped(/^saga__(.+)__(\d+)$/.exec(name));

function parseId(text: string | undefined): string | undefined {
  return isId(text) ? text : undefined;
}

function parseStamped(match: RegExpExecArray | null): StampedName | undefined {
  const storyId = parseId(match?.[1]);
  const timestamp = Number(match?.[2]);
  const exact = String(timestamp) === match?.[2] && Number.isSafeInteger(timestamp);
  return storyId !== undefined && exact ? { storyId, timestamp } : undefined;
}
