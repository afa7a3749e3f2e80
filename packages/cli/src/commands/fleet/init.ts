import { redactUrl } from '@saga-ai/core/fleet/redact-url';
import { lookForProject } from '@saga-ai/core/project/find-project';
import { buildPaths } from '@saga-ai/core/project/paths';
import type { FleetChangeJson } from '@saga-ai/types/screens/json/fleet';
import type { Command } from '../../command.ts';
import { URL_VARIABLE } from '../../fleet/may-have-engine.ts';
import { readEngineSettings, requireUrl } from '../../fleet/open-fleet.ts';

export const command: Command<FleetChangeJson> = {
  output: () => import('@saga-ai/types/screens/json/fleet').then((it) => it.FleetChangeJson),
  about: `Prepares the database that engine.url names: it creates the tables of the engine, or brings them up to date. It
may be repeated. The user of the address must be allowed to create schemas in the database; agents and people
then only need to read and write in them.`,
  examples: ['SAGA_ENGINE_URL=postgres://saga:…@db.example/saga saga fleet init'],
  async run({ out, folder }) {
    const project = lookForProject(folder);
    const url = requireUrl(readEngineSettings(project ? buildPaths(project.root) : undefined));
    const { initEngine } = await import('@saga-ai/engine/open-engine');
    await initEngine(url);
    const shown = redactUrl(url);
    if (out.json) return void out.value({ engine: shown });
    out.lines([
      `${out.paint('done', '✓')} ${shown} is ready`,
      '',
      'On every machine that should work:',
      `  export ${URL_VARIABLE}=…        the same address, with its password`,
      '  saga agent --repo <address of your repository> --trust',
      '',
      'On your own machine, in the project:',
      '  saga config engine.url <the address>',
      '  saga run <story or epic> --engine',
      '  saga fleet                       who works on what',
    ]);
    return 0;
  },
};
