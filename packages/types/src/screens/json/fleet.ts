import * as z from 'zod/mini';
import { OutcomeKind } from '../../run/session-record.ts';
import { FleetView, MACHINE_WISHES } from '../fleet-view.ts';

/** The `--json` output of the commands of a fleet. */
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
      'unfit',
      'fit',
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

/** As the page of the fleet shows it. */
export const FleetJson = FleetView;
export type FleetJson = FleetView;

export const FleetChangeJson = z.strictObject({
  machine: z.optional(z.string()),
  wish: z.optional(z.enum(MACHINE_WISHES)),
  engine: z.optional(z.string()),
});
export type FleetChangeJson = z.infer<typeof FleetChangeJson>;
