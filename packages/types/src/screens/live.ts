import type { SessionRecord } from '../run/session-record.ts';

/** The ids of everything that changed. A session is also named when its output file grew. */
export interface ChangeEvent {
  stories: string[];
  epics: string[];
  sessions: string[];
  /** The list of problems changed. */
  problems: boolean;
  /** The drafts of stories that runs propose changed. */
  drafts?: true;
}

/** The current state of a session. */
export interface SessionSummary extends SessionRecord {
  state: 'running' | 'ended' | 'died';
  /** The size of the output file in bytes; null if the file is missing. */
  outputSize: number | null;
}
