import { SagaError } from '@saga-ai/core/errors';
import type { ActionAnswer } from '@saga-ai/types/screens/dashboard';
import {
  type FleetAnswer,
  type FleetView,
  MACHINE_WISHES,
  type MachineWish,
} from '@saga-ai/types/screens/fleet-view';
import { Hono } from 'hono';
import { readBody } from '../http/read-request.ts';

/** What the pages need of a fleet. The server itself does not know the engine. */
export interface FleetDesk {
  read(): Promise<FleetView>;
  /** Throws if there is no such machine. */
  wish(machine: string, wish: MachineWish): Promise<void>;
  close(): Promise<void>;
}

const SAID: Readonly<Record<MachineWish, (name: string) => string>> = {
  work: (name) => `${name} takes work again.`,
  paused: (name) => `${name} takes nothing new.`,
  draining: (name) => `${name} ends when what it works on is over.`,
  removed: (name) => `${name} gives back what it works on, and ends.`,
};

/** The routes of the fleet, below /api/fleet. */
export function createFleetRoutes(desk: FleetDesk | undefined): Hono {
  const app = new Hono();
  app.get('/', async (c) => c.json<FleetAnswer>({ fleet: (await desk?.read()) ?? null }));
  app.post('/machines/:name', async (c) => {
    const name = c.req.param('name');
    const wish = readWish(await readBody(c.req));
    if (desk === undefined) {
      throw new SagaError(
        'usage',
        'There is no fleet.',
        'Set engine.url and start the dashboard again.',
      );
    }
    await desk.wish(name, wish);
    return c.json<ActionAnswer>({ ok: true, message: SAID[wish](name) });
  });
  return app;
}

function readWish(body: unknown): MachineWish {
  const given = (body as { wish?: unknown } | null)?.wish;
  const wish = MACHINE_WISHES.find((it) => it === given);
  if (wish !== undefined) return wish;
  throw new SagaError(
    'usage',
    'The wish for a machine is not known.',
    `One of ${MACHINE_WISHES.join(', ')}.`,
  );
}
