import { resolve } from 'node:path';
import { SagaError } from '@saga-ai/core/errors';
import { toError } from '@saga-ai/core/files/json-file';
import { redactUrl } from '@saga-ai/core/fleet/redact-url';
import {
  loadSoundConfig,
  type Origin,
  requireKey,
  saveConfigValue,
  unsetConfigValue,
} from '@saga-ai/core/plan/config';
import type { Paths } from '@saga-ai/core/project/paths';
import { listProjectParts } from '@saga-ai/core/trust/list-parts';
import { agreeToOwn } from '@saga-ai/core/trust/trust-record';
import { CONFIG_KEYS } from '@saga-ai/types/config';
import { formatConfigVariable } from '@saga-ai/types/config-variable';
import type { ConfigJson } from '@saga-ai/types/screens/json/plan';
import type { Command } from '../../command.ts';
import { environment } from '../../environment.ts';
import { formatRows } from '../../output/rows.ts';
import { wrap } from '../../output/text.ts';

export const command: Command<ConfigJson> = {
  output: () => import('@saga-ai/types/screens/json/plan').then((it) => it.ConfigJson),
  args: [
    { name: 'key', help: 'a setting such as worker.model (default: all)', complete: CONFIG_KEYS },
    { name: 'value', help: 'write this value to the settings file' },
  ],
  options: {
    unset: {
      type: 'boolean',
      help: 'remove the setting from the file, so that the default counts',
    },
  },
  about: `An option on the command line wins over an environment variable, a variable wins over
.saga/config.json, that wins over your own settings in ~/.config/saga/config.json, and those win over the
default. The variable of worker.maxCycles is SAGA_WORKER_MAX_CYCLES.

worker.claudePath, worker.permissions "bypass" and engine.url are written to your own settings. In
.saga/config.json they have no effect, so that no repository can choose the program that runs on your machine, or
where it connects to. The password of engine.url is not shown. What begins with notify is
written to your own settings too, unless .saga/config.json sets it; there it needs your trust.`,
  examples: [
    'saga config',
    'saga config worker.model',
    'saga config gate.verify "npm test"',
    'saga config --unset gate.verify',
  ],
  async run({ paths, out, args, flag }) {
    const [key, value] = args;
    if (key !== undefined) requireKey(key);
    const env = environment.variables();
    const saved = key !== undefined && value !== undefined;
    if (flag('unset')) await unset(paths(), key, value, env);
    else if (saved) await save(paths(), key, value, env);
    const { config, origins, problems } = loadSoundConfig(paths(), { environment: env });
    if (out.json && problems.length > 0) throw toError(problems);
    const groups: Record<string, Record<string, unknown>> = config;
    const settings = CONFIG_KEYS.filter((it) => key === undefined || it === key).map((it) => {
      const [group = '', name = ''] = it.split('.');
      const value = toShown(it, groups[group]?.[name]);
      return { key: it, value, origin: origins.get(it) ?? 'default' };
    });
    if (out.json) return void out.value({ settings });
    // A wrong value in the file does not count. The list shows the value that counts.
    out.problems(problems);
    out.lines(
      formatRows(
        settings.map((setting) => [
          { text: setting.key },
          { text: JSON.stringify(setting.value), flexible: true },
          {
            text: describeOrigin(setting.key, setting.origin),
            tone: setting.origin === 'default' ? 'quiet' : 'strong',
          },
        ]),
        out,
      ),
    );
    if (key !== undefined && !saved) out.lines(await describeMeaning(key, out.width));
    return problems.length > 0 ? 1 : 0;
  },
};

/** The address of an engine contains a password. */
const toShown = (key: string, value: unknown) =>
  key === 'engine.url' && typeof value === 'string' ? redactUrl(value) : value;

async function unset(
  paths: Paths,
  key: string | undefined,
  value: string | undefined,
  env: Readonly<Record<string, string | undefined>>,
): Promise<void> {
  if (key === undefined || value !== undefined) {
    throw new SagaError(
      'usage',
      '--unset takes one setting.',
      'Such as: saga config --unset worker.model',
    );
  }
  if (await unsetConfigValue(paths, key, env)) return;
  throw new SagaError(
    'not-found',
    `No settings file sets ${key}.`,
    `See where its value comes from: saga config ${key}`,
  );
}

/** Saves a setting. What the person types here is trusted from now on. */
async function save(
  paths: Paths,
  key: string,
  value: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<void> {
  // A relative path starts at the person's folder. It is made absolute, because SAGA may be started in another folder.
  const isProgram =
    key === 'worker.claudePath' || (key === 'notify.command' && !/[[,]/.test(value));
  const isPath = isProgram && value.includes('/') && !value.startsWith('~/');
  await saveConfigValue(paths, key, isPath ? resolve(value) : value, env);
  const own = listProjectParts(paths).filter(({ name }) => name === key);
  await agreeToOwn(paths, own, env);
}

/** Returns what the schema says of a setting. The schema is loaded only if the person names a setting. */
async function describeMeaning(key: string, width: number): Promise<string[]> {
  const { toJsonSchema } = await import('@saga-ai/types/json-schema');
  const [group = '', name = ''] = key.split('.');
  type Node = { description?: string; properties?: Record<string, Node> };
  const schema = toJsonSchema('config') as Node;
  const { description = '' } = schema.properties?.[group]?.properties?.[name] ?? {};
  return wrap(description, Math.min(width, 100) - 2).map((line) => `  ${line}`);
}

function describeOrigin(key: string, origin: Origin): string {
  if (origin === 'environment') return formatConfigVariable(key);
  return origin === 'person' ? 'your own file' : origin;
}
