import { existsSync } from 'node:fs';
import { AnyObject } from '@saga-ai/types/any-object';
import { CONFIG_GROUPS, CONFIG_KEYS, Config } from '@saga-ai/types/config';
import { formatConfigVariable } from '@saga-ai/types/config-variable';
import { describeIssues } from '@saga-ai/types/words/describe-issue';
import { findNearest } from '@saga-ai/types/words/nearest';
import type { Problem } from '@saga-ai/types/words/problem';
import { SagaError } from '../errors.ts';
import { writeFileAtomic } from '../files/atomic-write.ts';
import { loadJsonFile, saveJsonFields, toError } from '../files/json-file.ts';
import { findJsonFault, formatJson } from '../files/json-text.ts';
import { displayPath } from '../project/display-path.ts';
import type { Paths } from '../project/paths.ts';
import { withProjectLock } from './story-lock.ts';

export type Origin = 'flag' | 'environment' | 'file' | 'default';

export interface LoadedConfig {
  config: Config;
  /** Where the value of each `group.key` came from. */
  origins: Map<string, Origin>;
}

/** Values by `group.key`, as texts. Each is parsed by the type of its key. */
export type ConfigTexts = Readonly<Record<string, string | undefined>>;

export interface ConfigSources {
  flags?: ConfigTexts;
  environment?: ConfigTexts;
}

type Groups = Record<string, Record<string, unknown>>;

/**
 * Loads the settings. Flags take precedence over the environment, the environment over the file, and
 * the file over the defaults.
 */
export function loadConfig(paths: Paths, sources: ConfigSources = {}): LoadedConfig {
  const file = readGroups(paths);
  const problems = checkConfig(file, displayPath(paths.root, paths.config));
  if (problems.length > 0) throw toError(problems);
  const merged = structuredClone(file);
  const origins = new Map<string, Origin>();
  for (const key of CONFIG_KEYS) {
    const [group = '', name = ''] = key.split('.');
    if (file[group] && name in file[group]) origins.set(key, 'file');
    else origins.set(key, 'default');
    const variable = formatConfigVariable(key);
    const steps: [Origin, string | undefined, string][] = [
      ['environment', sources.environment?.[variable], variable],
      ['flag', sources.flags?.[key], formatFlag(group, name)],
    ];
    for (const [origin, text, label] of steps) {
      if (text === undefined) continue;
      merged[group] = { ...merged[group], [name]: parseValue(key, text, label) };
      origins.set(key, origin);
    }
  }
  return { config: Config.parse(merged), origins };
}

/**
 * Like loadConfig, but uses the defaults if the settings cannot be read. The check of the settings
 * reports that.
 */
export function loadConfigOrDefaults(paths: Paths, sources: ConfigSources = {}): Config {
  try {
    return loadConfig(paths, sources).config;
  } catch (error) {
    if (error instanceof SagaError) return Config.parse({});
    throw error;
  }
}

/** `worker.maxTime` is `--max-time` on the command line, and `budget.usd` is `--budget-usd`. */
function formatFlag(group: string, name: string): string {
  const option = name.replace(/[A-Z]/g, (it) => `-${it.toLowerCase()}`);
  return group === 'worker' ? `--${option}` : `--${group}-${option}`;
}

export async function saveConfigValue(paths: Paths, key: string, text: string): Promise<void> {
  requireKey(key);
  const value = parseValue(key, text, key);
  await withProjectLock(paths, () => {
    const [group = '', name = ''] = key.split('.');
    const groups = readGroups(paths);
    const next = { ...groups[group], [name]: value };
    // Checked with the new value, so that a wrong one can be replaced.
    const after = typeof groups[group] === 'object' ? { ...groups, [group]: next } : groups;
    const problems = checkConfig(after, displayPath(paths.root, paths.config));
    if (problems.length > 0) throw toError(problems);
    if (!existsSync(paths.config)) writeFileAtomic(paths.config, formatJson({ [group]: next }));
    else saveJsonFields(paths.root, paths.config, AnyObject, { [group]: next });
  });
}

/** Reports every unknown key, with the closest known one, and every wrong value, with its rule. */
function checkConfig(input: unknown, file: string): Problem[] {
  const result = Config.safeParse(input);
  if (result.success) return [];
  return describeIssues(result.error, input).map(({ field, message }) => ({
    code: 'invalid-config',
    message: `${file}: "${field}" ${message}.`,
    hint: suggestFor(field),
    file,
    field,
  }));
}

export function requireKey(key: string): void {
  if (CONFIG_KEYS.includes(key)) return;
  throw new SagaError('invalid-config', `No setting ${JSON.stringify(key)}.`, suggestFor(key));
}

function suggestFor(field: string): string {
  const [group = '', name = ''] = field.split('.');
  const keys = CONFIG_GROUPS.get(group);
  const all = 'saga schema config lists every key.';
  if (CONFIG_KEYS.includes(field)) return suggestValue(group, name);
  if (keys && name === '') return `It is a group: "${group}": { "${keys[0]}": … }. ${all}`;
  const near =
    (keys ? prefix(group, findNearest(name, keys)) : undefined) ??
    findNearest(field, [...CONFIG_GROUPS.keys(), ...CONFIG_KEYS]) ??
    CONFIG_KEYS.find((key) => key.split('.')[1]?.toLowerCase() === field.toLowerCase());
  return near === undefined ? all : `Did you mean ${near}? ${all}`;
}

/** These words must help although `saga config` cannot show anything while the file is wrong. */
function suggestValue(group: string, name: string): string {
  const defaults: Config = Config.parse({});
  const value = (defaults as Groups)[group]?.[name];
  const remove = `Remove it from .saga/config.json, or write another value: saga config ${group}.${name}`;
  return value === null || typeof value === 'object' ? `${remove} …` : `${remove} ${value}`;
}

const prefix = (group: string, name: string | undefined) =>
  name === undefined ? undefined : `${group}.${name}`;

function readGroups(paths: Paths): Groups {
  if (!existsSync(paths.config)) return {};
  return loadJsonFile(paths.root, paths.config, AnyObject).value as Groups;
}

/** Parses a text from a flag or a variable: as JSON if the key accepts that, else as a plain text. */
function parseValue(key: string, text: string, label: string): unknown {
  const [group = '', name = ''] = key.split('.');
  const accepts = (value: unknown) => Config.safeParse({ [group]: { [name]: value } });
  const candidates: unknown[] = findJsonFault(text) ? [text] : [JSON.parse(text), text];
  if (text.includes(',')) candidates.push(text.split(',').map((part) => part.trim()));
  else candidates.push([text]);
  for (const candidate of candidates) {
    if (accepts(candidate).success) return candidate;
  }
  const result = accepts(candidates[0]);
  const [issue] = result.success
    ? []
    : describeIssues(result.error, { [group]: { [name]: candidates[0] } });
  throw new SagaError(
    'invalid-config',
    `${label}: "${key}" ${issue?.message ?? 'is not valid'}.`,
    'saga schema config shows what is allowed.',
  );
}
