import { SagaError } from '@saga-ai/core/errors';
import type { MachineWish } from '@saga-ai/core/fleet/engine';
import { lookForProject } from '@saga-ai/core/project/find-project';
import { buildPaths } from '@saga-ai/core/project/paths';
import type { FleetChangeJson } from '@saga-ai/types/screens/json/fleet';
import type { Command } from '../command.ts';
import { connect, readEngineSettings } from './open-fleet.ts';

/** A verb of `saga fleet` that says what a machine should do. */
export function createWishCommand(
  wish: MachineWish,
  { about, said, verb }: { about: string; said: (name: string) => string; verb: string },
): Command<FleetChangeJson> {
  return {
    output: () => import('@saga-ai/types/screens/json/fleet').then((it) => it.FleetChangeJson),
    args: [{ name: 'machine', help: 'a name that saga fleet lists', required: true }],
    about,
    examples: [`saga fleet ${verb} builder-1`],
    async run({ out, args, folder }) {
      const machine = args[0] ?? '';
      const project = lookForProject(folder);
      const settings = readEngineSettings(project ? buildPaths(project.root) : undefined);
      const engine = await connect(settings, 'reader', `saga fleet ${verb}`);
      try {
        await change(engine.machines, machine, wish);
      } finally {
        await engine.close();
      }
      if (out.json) return void out.value({ machine, wish });
      out.lines([`${out.paint('done', '✓')} ${said(machine)}`]);
      return 0;
    },
  };
}

async function change(
  machines: Awaited<ReturnType<typeof connect>>['machines'],
  name: string,
  wish: MachineWish,
): Promise<void> {
  const found = (await machines.list()).find((it) => it.name === name);
  // A machine that is gone does not read its wish, so only its entry is removed.
  if (found && !found.isAlive && wish === 'removed') return machines.leave(name);
  if (found && (await machines.wish(name, wish))) return;
  throw new SagaError('not-found', `The fleet has no machine ${name}.`, 'List them: saga fleet');
}
