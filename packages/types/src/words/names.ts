import { isId } from '../plan/ids.ts';

/** What a story or an epic is called outside SAGA's files. Every format has its parse beside it. */

export const formatStoryBranch = (storyId: string) => `story/${storyId}`;
export const parseStoryBranch = (branch: string) => parseId(/^story\/(.*)$/.exec(branch)?.[1]);

/** Where a story is rehearsed: never pushed to a real remote, gone afterwards. */
export const formatRehearsalBranch = (storyId: string) => `rehearsal/${storyId}`;
export const parseRehearsalBranch = (branch: string) =>
  parseId(/^rehearsal\/(.*)$/.exec(branch)?.[1]);

export const formatEpicBranch = (epicId: string) => `epic/${epicId}`;
export const parseEpicBranch = (branch: string) => parseId(/^epic\/(.*)$/.exec(branch)?.[1]);

/**
 * Where worktrees of stories are made: beside the repository, in a folder with its name. Test runners
 * and bundlers of the main checkout do not look there, and no part of the path is hidden.
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
