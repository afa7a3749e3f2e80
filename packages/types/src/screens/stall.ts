import type { Reason, StoryView } from './overview.ts';

/** `checkIn` of the config: how often a worker is looked at, and how often it may show nothing. */
export interface CheckIn {
  minutes: number;
  misses: number;
}

/** The last that was heard of a living worker; times in milliseconds. */
export interface LastSign {
  /** When its output file was written; a long tool call that prints goes on writing there. */
  writtenAt: number;
  /** It said that it waits until then, such as for a usage limit. */
  waitsUntil?: number;
}

/** Since when a worker has been silent for too long, as an ISO time; nothing while it is not. */
export function findStall(sign: LastSign, checkIn: CheckIn, now: number): string | undefined {
  const { writtenAt, waitsUntil = writtenAt } = sign;
  const patience = checkIn.minutes * checkIn.misses * 60_000;
  const isStalled = now - Math.max(writtenAt, waitsUntil) > patience;
  return isStalled ? new Date(writtenAt).toISOString() : undefined;
}

/** How long it has been silent is left to the screens: they have a clock. */
export function buildStallReason(since: string): Reason {
  return { kind: 'stalled', title: 'The worker is silent', since };
}

export const isStalled = ({ needsYou }: StoryView): boolean =>
  needsYou?.some((reason) => reason.kind === 'stalled') ?? false;

/** What a person can do: look, then stop it. A stopped story goes on where it was. */
export const listStallCommands = (storyId: string): [look: string, stop: string] => [
  `saga logs -f ${storyId}`,
  `saga stop ${storyId}`,
];
