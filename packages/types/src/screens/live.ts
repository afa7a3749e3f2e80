import type { SessionRecord } from '../run/session-record.ts';

/** What is different now, by ids. A session is named too whenever its output file grew. */
export interface ChangeEvent {
  stories: string[];
  epics: string[];
  sessions: string[];
  /** The list of problems is different. */
  problems: boolean;
}

/** A session as it stands now. */
export interface SessionSummary extends SessionRecord {
  state: 'running' | 'ended' | 'died';
  /** Bytes of the output file; null when it is gone. */
  outputSize: number | null;
}
