import { withoutMark } from '@saga-ai/types/words/without-mark';
import type { ProjectFiles } from '../../agent.ts';
import { pickAccountSettings } from './account-settings.ts';

type Fields = Readonly<Record<string, unknown>>;

/** The settings that a project shares. */
export const PROJECT_SETTINGS = '.claude/settings.json';

/**
 * Picks the settings of a project that a run gets: hooks, permission rules, variables and the account.
 * All other keys are left out: some switch hooks off, and an old client drops all settings for one key
 * that it does not know.
 */
export function pickProjectSettings(files: ProjectFiles): Fields {
  const { hooks, permissions, env, ...rest } = readProjectSettings(files);
  const rules = isFields(permissions) ? permissions : {};
  const picked = Object.fromEntries(
    ['allow', 'deny', 'ask'].flatMap((key) => (isTexts(rules[key]) ? [[key, rules[key]]] : [])),
  );
  return {
    ...pickAccountSettings(rest),
    ...(isFields(hooks) && Object.values(hooks).every(Array.isArray) ? { hooks } : {}),
    ...(Object.keys(picked).length > 0 ? { permissions: picked } : {}),
    ...(isFields(env) ? { env: pickTexts(env) } : {}),
  };
}

/** The settings of the project as they are. Returns {} if the file is missing or contains no JSON object. */
export function readProjectSettings(files: ProjectFiles): Fields {
  try {
    const value: unknown = JSON.parse(withoutMark(files[PROJECT_SETTINGS] ?? '{}'));
    return isFields(value) ? value : {};
  } catch {
    // The client would ignore such a file, too.
    return {};
  }
}

/** Adds settings to others. Lists are joined; of two other values, the second one counts. */
export function mergeSettings(first: Fields, second: Fields): Fields {
  const merged: Record<string, unknown> = { ...first };
  for (const [key, value] of Object.entries(second)) {
    const known = merged[key];
    if (Array.isArray(known) && Array.isArray(value)) merged[key] = [...known, ...value];
    else if (isFields(known) && isFields(value)) merged[key] = mergeSettings(known, value);
    else merged[key] = value;
  }
  return merged;
}

const isTexts = (value: unknown) =>
  Array.isArray(value) && value.every((it) => typeof it === 'string');

function pickTexts(env: Fields): Record<string, string> {
  const plain = Object.entries(env).filter(([, value]) =>
    ['string', 'number', 'boolean'].includes(typeof value),
  );
  return Object.fromEntries(plain.map(([key, value]) => [key, String(value)]));
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
