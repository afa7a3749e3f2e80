import { SagaError } from '@saga-ai/core/errors';
import { describeFleet } from '@saga-ai/core/fleet/describe-fleet';
import { redactUrl } from '@saga-ai/core/fleet/redact-url';
import type { Paths } from '@saga-ai/core/project/paths';
import type { FleetDesk } from '@saga-ai/dashboard/server/fleet/fleet-routes';
import { type Fleet, openFleet, readEngineSettings } from './open-fleet.ts';

/** The fleet for the pages. Connects when a page first asks, and again if that failed. */
export function createFleetDesk(paths: Paths): FleetDesk | undefined {
  const { url } = readEngineSettings(paths);
  if (url === null) return undefined;
  let opening: Promise<Fleet> | undefined;
  const open = () => {
    opening ??= openFleet(paths).catch((error) => {
      opening = undefined;
      throw error;
    });
    return opening;
  };
  return {
    async read() {
      const { engine, repository } = await open();
      const [machines, jobs] = await Promise.all([
        engine.machines.list(),
        engine.jobs.list(repository.key),
      ]);
      return {
        engine: redactUrl(url),
        repository: repository.url,
        ...describeFleet(machines, jobs, repository.key),
      };
    },
    async wish(machine, wish) {
      const { engine } = await open();
      if (await engine.machines.wish(machine, wish)) return;
      throw new SagaError(
        'not-found',
        `The fleet has no machine ${machine}.`,
        'List them: saga fleet',
      );
    },
    async close() {
      const fleet = await opening?.catch(() => undefined);
      await fleet?.[Symbol.asyncDispose]();
    },
  };
}
