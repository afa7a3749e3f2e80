import * as z from 'zod/mini';
import { OutcomeKind } from '../../run/session-record.ts';

/** The `--json` output of the commands of a fleet. */
const WISHES = ['work', 'paused', 'draining', 'removed'] as const;

export const AgentEventJson = z.looseObject({
  time: z.string(),
  type: z
    .enum([
      'ready',
      'taken',
      'put-away',
      'ended',
      'lost',
      'given-back',
      'stopping',
      'wish',
      'away',
      'back',
    ])
    .check(z.describe('taken, ended, lost and given-back are about the story or epic `id`.')),
  id: z.optional(z.string()),
  reason: z.optional(z.string()),
  outcome: z.optional(OutcomeKind),
  lease: z.optional(z.number()),
});
export type AgentEventJson = z.infer<typeof AgentEventJson>;

const time = z.string().check(z.describe('ISO time.'));

export const FleetJson = z.strictObject({
  engine: z.string().check(z.describe('Its address, without the password.')),
  repository: z.nullable(z.string()),
  machines: z.array(
    z.strictObject({
      name: z.string(),
      labels: z.array(z.string()),
      repositories: z.array(z.string()),
      jobs: z.number().check(z.describe('How many stories it works on at most.')),
      sagaVersion: z.string(),
      clientVersion: z.string(),
      since: time,
      seenAt: time,
      wish: z.enum(WISHES),
      isAlive: z.boolean(),
      worksOn: z.array(z.string()).check(z.describe('Stories and epics of this repository.')),
    }),
  ),
  jobs: z.array(
    z.strictObject({
      id: z.string(),
      kind: z.enum(['story', 'epic']),
      state: z.enum(['queued', 'active']),
      needs: z.array(z.string()),
      by: z.string(),
      queuedAt: time,
      takenAt: z.optional(time),
      machine: z.optional(z.string()),
      lease: z.optional(z.number()),
      waitsFor: z.optional(z.string().check(z.describe('Why nobody has taken it, in words.'))),
    }),
  ),
});
export type FleetJson = z.infer<typeof FleetJson>;

export const FleetChangeJson = z.strictObject({
  machine: z.optional(z.string()),
  wish: z.optional(z.enum(WISHES)),
  engine: z.optional(z.string()),
});
export type FleetChangeJson = z.infer<typeof FleetChangeJson>;
