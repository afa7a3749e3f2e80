import { toError } from '@saga-ai/core/files/json-file';
import { loadSoundConfig, requireKey, saveConfigValue } from '@saga-ai/core/plan/config';
import { CONFIG_KEYS } from '@saga-ai/types/config';
import { formatConfigVariable } from '@saga-ai/types/config-variable';
import type { ConfigJson } from '@saga-ai/types/screens/json/plan';
import type { Command } from '../../command.ts';
import { environment } from '../../environment.ts';
import { formatRows } from '../../output/rows.ts';

export const command: Command<ConfigJson> = {
  output: () => import('@saga-ai/types/screens/json/plan').then((it) => it.ConfigJson),
  args: [
    { name: 'key', help: 'a setting such as worker.model (default: all)', complete: CONFIG_KEYS },
    { name: 'value', help: 'write this value to .saga/config.json' },
  ],
  about: `An option on the command line wins over an environment variable, a variable wins over
.saga/config.json, and the file wins over the default. The variable of worker.maxCycles is
SAGA_WORKER_MAX_CYCLES.`,
  examples: ['saga config', 'saga config worker.model', 'saga config gate.verify "npm test"'],
  async run({ paths, out, args }) {
    const [key, value] = args;
    if (key !== undefined) requireKey(key);
    if (key !== undefined && value !== undefined) await saveConfigValue(paths(), key, value);
    const { config, origins, problems } = loadSoundConfig(paths(), {
      environment: environment.variables(),
    });
    if (out.json && problems.length > 0) throw toError(problems);
    const groups: Record<string, Record<string, unknown>> = config;
    const settings = CONFIG_KEYS.filter((it) => key === undefined || it === key).map((it) => {
      const [group = '', name = ''] = it.split('.');
      return { key: it, value: groups[group]?.[name], origin: origins.get(it) ?? 'default' };
    });
    if (out.json) return void out.value({ settings });
    // A wrong value in the file does not count; the list shows what does.
    out.problems(problems);
    out.lines(
      formatRows(
        settings.map((setting) => [
          { text: setting.key },
          { text: JSON.stringify(setting.value), flexible: true },
          {
            text:
              setting.origin === 'environment' ? formatConfigVariable(setting.key) : setting.origin,
            tone: setting.origin === 'default' ? 'quiet' : 'strong',
          },
        ]),
        out,
      ),
    );
    return problems.length > 0 ? 1 : 0;
  },
};
