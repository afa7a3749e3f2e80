import type { EventType } from '@saga-ai/types/run/event';

/** Events after which a branch on the remote has moved. */
const TYPES = [
  'push:done',
  'epic:merged',
  'epic:branch',
  'worker:end',
  'pull-request:start',
  'pull-request:found',
  'pull-request:created',
  'pull-request:skipped',
  'pull-request:ready',
  'pull-request:not-ready',
  'pull-request:not-updated',
] as const satisfies readonly EventType[];

/** The text as workers write it. In an event that quotes such a line, its quotation marks are escaped. */
const MARKS = TYPES.map((type) => `"type":"${type}"`);

/** Whether a line of an output file says that a branch on the remote moved. */
export function movesBranches(line: string): boolean {
  return MARKS.some((mark) => line.includes(mark));
}
