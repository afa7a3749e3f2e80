import { readFileSync } from 'node:fs';
import { findPersonSettings } from '@saga-ai/core/project/person-folders';
import { formatConfigVariable } from '@saga-ai/types/config-variable';
import { environment } from '../environment.ts';

export const URL_VARIABLE = formatConfigVariable('engine.url');

/**
 * Returns whether an engine may be configured. Does not parse the settings, so that commands without a fleet stay fast.
 */
export function mayHaveEngine(env = environment.variables()): boolean {
  if (env[URL_VARIABLE]) return true;
  const file = findPersonSettings(env);
  if (file === undefined) return false;
  try {
    return readFileSync(file, 'utf8').includes('"engine"');
  } catch {
    // The person has no settings.
    return false;
  }
}
