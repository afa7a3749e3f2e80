import { files, note, number, reason, says, text } from './event-fields.ts';

const base = note('The branch that the story is merged into.');

/** The events about a base that moved on while a story was worked on: a part of the table of all events. */
export const BASE_EVENTS = {
  'base:merged': says("The base was merged into the story's branch before the gate.", {
    base,
    commit: text,
    commits: number,
  }),
  'base:conflict': says('The base conflicts with the branch. The next run is told.', {
    base,
    commit: text,
    files,
  }),
  'base:skipped': says('The base moved on, but was not merged before the gate.', { base, reason }),
} as const;
