import * as z from 'zod/mini';
import { OutcomeKind } from '../run/session-record.ts';
import { STATES, type State } from './story-state.ts';

/** A fleet as people see it: what `saga fleet --json` prints and the page shows. */
const kind = z.enum(['story', 'epic']);

export const FleetMachine = z.strictObject({
  name: z.string(),
  state: z
    .enum(['working', 'idle', 'unfit', 'paused', 'draining', 'removed', 'lost'])
    .check(
      z.describe(
        'unfit: takes no jobs until its `trouble` is over. lost: not heard of for longer than a lease lasts.',
      ),
    ),
  trouble: z
    .nullable(z.string())
    .check(z.describe('Why it is unfit, such as a full disk. null if it is not.')),
  labels: z.array(z.string()),
  jobs: z.number().check(z.describe('How many stories it works on at most.')),
  busy: z.number().check(z.describe('How many it works on now, of all repositories.')),
  sagaVersion: z.string(),
  clientVersion: z.string(),
  since: z.string().check(z.describe('ISO time.')),
  seenAt: z.string().check(z.describe('When it was last heard of. ISO time.')),
  isForUs: z.boolean().check(z.describe('It works for this repository.')),
  items: z.array(z.strictObject({ id: z.string(), kind, since: z.string(), lease: z.number() })),
});
export type FleetMachine = z.infer<typeof FleetMachine>;

/** Each state of a machine looks like the state of a story with a similar meaning. Its word is that of the wish. */
const LOOKS: Readonly<Record<FleetMachine['state'], State>> = {
  working: STATES.running,
  idle: STATES.done,
  unfit: STATES['needs-you'],
  paused: STATES.waiting,
  draining: STATES.stopped,
  removed: STATES.skipped,
  lost: STATES.died,
};

/** How a machine looks on every screen. */
export function stateOfMachine({ state }: Pick<FleetMachine, 'state'>): State {
  return { ...LOOKS[state], word: state };
}

export const FleetJob = z.strictObject({
  id: z.string(),
  kind,
  needs: z.array(z.string()),
  by: z.string().check(z.describe('The machine that handed it over.')),
  queuedAt: z.string(),
  why: z.string().check(z.describe('Why it waits.')),
});
export type FleetJob = z.infer<typeof FleetJob>;

export const FleetEnd = z.strictObject({
  id: z.string(),
  kind,
  machine: z.nullable(z.string()),
  endedAt: z.string(),
  outcome: OutcomeKind,
  reason: z.string(),
});
export type FleetEnd = z.infer<typeof FleetEnd>;

export const FleetView = z.strictObject({
  engine: z.string().check(z.describe('Its address, without the password.')),
  repository: z.nullable(z.string()).check(z.describe('null outside of a project.')),
  machines: z.array(FleetMachine),
  waiting: z.array(FleetJob),
  ended: z.array(FleetEnd).check(z.describe('The newest ten.')),
});
export type FleetView = z.infer<typeof FleetView>;

/** The wishes for a machine. `work` takes an earlier wish back. */
export const MACHINE_WISHES = ['work', 'paused', 'draining', 'removed'] as const;
export type MachineWish = (typeof MACHINE_WISHES)[number];

/** `GET /api/fleet` */
export interface FleetAnswer {
  /** null if no engine is set. */
  fleet: FleetView | null;
}
