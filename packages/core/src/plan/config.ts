import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { AnyObject } from '@saga-ai/types/any-object';
import {
  CONFIG_GROUPS,
  CONFIG_KEYS,
  Config,
  isAboutPerson,
  isPersonal,
} from '@saga-ai/types/config';
import { formatConfigVariable } from '@saga-ai/types/config-variable';
import { describeIssues } from '@saga-ai/types/words/describe-issue';
import { findNearest } from '@saga-ai/types/words/nearest';
import type { Problem } from '@saga-ai/types/words/problem';
import { SagaError } from '../errors.ts';
import { writeFileAtomic } from '../files/atomic-write.ts';
import { ensureFolder } from '../files/ensure-folder.ts';
import { loadJsonFile, saveJsonFields, toError } from '../files/json-file.ts';
import { findJsonFault, formatJson } from '../files/json-text.ts';
import { displayPath } from '../project/display-path.ts';
import type { Paths } from '../project/paths.ts';
import { findPersonSettings } from '../project/person-folders.ts';
import { withProjectLock } from './story-lock.ts';

/** `person` is the person's own settings file. */
export type Origin = 'flag' | 'environment' | 'file' | 'person' | 'default';

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

export type Groups = Record<string, Record<string, unknown>>;

/**
 * Loads the settings. Flags take precedence over the environment, the environment over the project's file,
 * that over the person's file, and that over the defaults. A personal setting in the project's file has no
 * effect; `saga check` reports it.
 */
export function loadConfig(paths: Paths, sources: ConfigSources = {}): LoadedConfig {
  const { problems, ...loaded } = loadSoundConfig(paths, sources);
  const wrong = problems.filter(({ code }) => code !== 'personal-setting');
  if (wrong.length > 0) throw toError(wrong);
  return loaded;
}

/** Like loadConfig, but a wrong value or key in a file counts as not set, and is returned as a problem. */
export function loadSoundConfig(
  paths: Paths,
  sources: ConfigSources = {},
): LoadedConfig & { problems: Problem[] } {
  const own = loadPersonSettings(sources.environment ?? {});
  const project = loadProjectSettings(paths);
  const { groups: file } = project;
  const problems = [...project.problems, ...own.problems];
  const merged: Groups = {};
  for (const group of CONFIG_GROUPS.keys()) {
    merged[group] = { ...own.groups[group], ...file[group] };
  }
  const origins = new Map<string, Origin>();
  for (const key of CONFIG_KEYS) {
    const [group = '', name = ''] = key.split('.');
    if (file[group] && name in file[group]) origins.set(key, 'file');
    else if (own.groups[group] && name in own.groups[group]) origins.set(key, 'person');
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
  return { config: Config.parse(merged), origins, problems };
}

export interface FileSettings {
  /** The settings of the file that are valid and that the file may set. */
  groups: Groups;
  problems: Problem[];
}

/** Loads the settings of `.saga/config.json`, without wrong values and without personal settings. */
export function loadProjectSettings(paths: Paths): FileSettings {
  const file = displayPath(paths.root, paths.config);
  const groups = readGroups(paths.root, paths.config);
  const problems = [...checkConfig(groups, file), ...findPersonal(groups, file)];
  return { groups: dropFields(groups, problems), problems };
}

function loadPersonSettings(env: ConfigTexts): FileSettings {
  const path = findPersonSettings(env);
  if (path === undefined) return { groups: {}, problems: [] };
  const groups = readGroups(dirname(path), path);
  const problems = [...checkConfig(groups, path), ...findRelativePrograms(groups, path)];
  return { groups: dropFields(groups, problems), problems };
}

/** Reports programs with a relative path, which would lead into the repository in which SAGA is started. */
function findRelativePrograms(groups: Groups, file: string): Problem[] {
  const command = groups.notify?.command;
  const programs: [field: string, path: unknown][] = [
    ['worker.claudePath', groups.worker?.claudePath],
    ['notify.command', Array.isArray(command) ? command[0] : undefined],
  ];
  return programs.flatMap(([field, path]) => {
    if (typeof path !== 'string' || !path.includes('/') || /^(\/|~\/)/.test(path)) return [];
    const message = `${file}: "${field}" is relative, so each repository could put a program there.`;
    const hint = 'Write the whole path, beginning with / or ~/.';
    return [{ code: 'invalid-config' as const, message, hint, file, field }];
  });
}

/**
 * Reports personal settings in the project's file. A tracked file must not choose the program that runs or remove its
 * limits.
 */
function findPersonal(groups: Groups, file: string): Problem[] {
  return CONFIG_KEYS.flatMap((field) => {
    const [group = '', name = ''] = field.split('.');
    const value = groups[group]?.[name];
    if (!isPersonal(field, value)) return [];
    return {
      code: 'personal-setting' as const,
      message: `${file}: "${field}" has no effect there, because everyone who has this repository would run with it.`,
      hint: `Remove it there. To set it only for yourself: saga config ${field} …`,
      file,
      field,
    };
  });
}

function dropFields(groups: Groups, problems: readonly Problem[]): Groups {
  if (problems.length === 0) return groups;
  const sound = structuredClone(groups);
  for (const { field = '' } of problems) {
    const [group = '', name] = toKey(field).split('.');
    if (name === undefined) delete sound[group];
    else delete sound[group]?.[name];
  }
  return sound;
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

/**
 * Saves a setting: a personal one in the person's file, which the environment names, any other one in the project's
 * file. Returns the file.
 */
export async function saveConfigValue(
  paths: Paths,
  key: string,
  text: string,
  env: ConfigTexts = {},
): Promise<string> {
  requireKey(key);
  const value = parseValue(key, text, key);
  const isOwn = isPersonal(key, value) || (isAboutPerson(key) && !isSetInProject(paths, key));
  const file = isOwn ? requirePersonSettings(env, key) : paths.config;
  const root = isOwn ? dirname(file) : paths.root;
  await withProjectLock(paths, () => {
    const [group = '', name = ''] = key.split('.');
    const groups = readGroups(root, file);
    const next = { ...groups[group], [name]: value };
    // The file is checked with the new value, so that a wrong value can be replaced.
    const after = typeof groups[group] === 'object' ? { ...groups, [group]: next } : groups;
    const problems = checkConfig(after, isOwn ? file : displayPath(paths.root, file));
    // Wrong values of other known keys may stay, so that a person can mend one after the other. Any other problem must
    // be mended in the file first.
    const others = problems.filter(({ field = '' }) => {
      const wrong = toKey(field);
      return wrong === key || !CONFIG_KEYS.includes(wrong);
    });
    if (others.length > 0) throw toError(others);
    if (isOwn) ensureFolder(root, 0o700);
    if (!existsSync(file)) writeFileAtomic(file, formatJson({ [group]: next }));
    else saveJsonFields(root, file, AnyObject, { [group]: next });
  });
  return file;
}

/** Removes a setting from the file that sets it: the project's, else the person's. Returns false if no file sets it. */
export async function unsetConfigValue(
  paths: Paths,
  key: string,
  env: ConfigTexts = {},
): Promise<boolean> {
  requireKey(key);
  const [group = '', name = ''] = key.split('.');
  const own = findPersonSettings(env);
  const places = [
    { root: paths.root, file: paths.config },
    ...(own === undefined ? [] : [{ root: dirname(own), file: own }]),
  ];
  return withProjectLock(paths, () => {
    for (const { root, file } of places) {
      const found = readGroups(root, file)[group];
      if (typeof found !== 'object' || found === null || !(name in found)) continue;
      const { [name]: _, ...rest } = found as Record<string, unknown>;
      saveJsonFields(root, file, AnyObject, { [group]: rest });
      return true;
    }
    return false;
  });
}

function isSetInProject(paths: Paths, key: string): boolean {
  const [group = '', name = ''] = key.split('.');
  const found = readGroups(paths.root, paths.config)[group];
  return typeof found === 'object' && found !== null && name in found;
}

function requirePersonSettings(env: ConfigTexts, key: string): string {
  const path = findPersonSettings(env);
  if (path !== undefined) return path;
  throw new SagaError(
    'invalid-config',
    `${key} belongs into your own settings file, and HOME is not set, so SAGA cannot find it.`,
    `Set HOME, or use the variable ${formatConfigVariable(key)}.`,
  );
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

/** The setting that a field belongs to: an item of a list is a field, too. */
const toKey = (field: string) => field.split(/[.[]/).slice(0, 2).join('.');

function suggestFor(field: string): string {
  const key = toKey(field);
  if (CONFIG_KEYS.includes(key)) {
    const [group = '', name = ''] = key.split('.');
    const defaults: Config = Config.parse({});
    const value = JSON.stringify((defaults as Groups)[group]?.[name]);
    return `Its default is ${value}; saga schema config shows what is allowed. To set it: saga config ${key} …`;
  }
  const [group = '', name = ''] = field.split('.');
  const keys = CONFIG_GROUPS.get(group);
  const near =
    (keys ? prefix(group, findNearest(name, keys)) : undefined) ??
    findNearest(field, [...CONFIG_GROUPS.keys(), ...CONFIG_KEYS]) ??
    CONFIG_KEYS.find((it) => it.split('.')[1]?.toLowerCase() === field.toLowerCase());
  const all = 'saga config lists every key.';
  if (keys && name === '') return `It is a group: "${group}": { "${keys[0]}": … }. ${all}`;
  return near === undefined ? all : `Did you mean ${near}? ${all}`;
}

const prefix = (group: string, name: string | undefined) =>
  name === undefined ? undefined : `${group}.${name}`;

function readGroups(root: string, file: string): Groups {
  if (!existsSync(file)) return {};
  return loadJsonFile(root, file, AnyObject).value as Groups;
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
  const defaults: Config = Config.parse({});
  const isList = Array.isArray((defaults as Groups)[group]?.[name]);
  const meant = candidates.find((it) => !isList || Array.isArray(it));
  const result = accepts(meant);
  const [issue] = result.success
    ? []
    : describeIssues(result.error, { [group]: { [name]: meant } });
  throw new SagaError(
    'invalid-config',
    `${label}: "${key}" ${issue?.message ?? 'is not valid'}.`,
    'saga schema config shows what is allowed.',
  );
}
