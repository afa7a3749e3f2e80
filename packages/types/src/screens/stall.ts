import type { Reason, StoryView } from './overview.ts';

/** The settings `checkIn`: how often a worker is checked, and how many checks may find no new event. */
export interface CheckIn {
  minutes: number;
  misses: number;
}

/** The last signs of life of a running worker; times in milliseconds. */
export interface LastSign {
  /** When the output file was last written. A long tool call that prints also writes to it. */
  writtenAt: number;
  /** The worker said that it waits until then, such as for a usage limit. */
  waitsUntil?: number;
}

/** Returns since when a worker has been silent, as an ISO time; undefined if it is not silent for too long. */
export function findStall(sign: LastSign, checkIn: CheckIn, now: number): string | undefined {
  const { writtenAt, waitsUntil = writtenAt } = sign;
  const patience = checkIn.minutes * checkIn.misses * 60_000;
  const isStalled = now - Math.max(writtenAt, waitsUntil) > patience;
  return isStalled ? new Date(writtenAt).toISOString() : undefined;
}

/**
 * Builds the reason of a stall. It contains only the time of the last event; screens compute the duration with their
 * own clock.
 */
export function buildStallReason(since: string, isAsked = false): Reason {
  // If a run that was asked stays silent, the worker ends it.
  return isAsked
    ? { kind: 'stalled', title: 'The run is silent, asked what it waits for', since, isAsked }
    : { kind: 'stalled', title: 'The worker is silent', since };
}

export const isStalled = ({ needsYou }: StoryView): boolean =>
  needsYou?.some((reason) => reason.kind === 'stalled') ?? false;

/** Commands for a person: look at the worker, then stop it. A stopped story can be resumed. */
export const listStallCommands = (storyId: string): [look: string, stop: string] => [
  `saga logs -f ${storyId}`,
  `saga stop ${storyId}`,
];
