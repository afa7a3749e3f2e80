import { createHash } from 'node:crypto';
import { join } from 'node:path';

type Variables = Readonly<Record<string, string | undefined>>;

/**
 * The folder of the person's own settings: `~/.config/saga`. Undefined if the environment names no home, so that SAGA
 * does not read or write in another person's home by mistake.
 */
export const findPersonConfig = (env: Variables): string | undefined =>
  below(env.XDG_CONFIG_HOME, env.HOME, '.config');

/** The folder for what SAGA remembers of a person: `~/.local/state/saga`. */
export const findPersonState = (env: Variables): string | undefined =>
  below(env.XDG_STATE_HOME, env.HOME, '.local/state');

/**
 * The token with which pages act in one project. It lies outside every project, in a folder that the sandbox hides:
 * who has the token acts as the person. Undefined if the environment names no home.
 */
export function findDashboardToken(env: Variables, root: string): string | undefined {
  const folder = findPersonState(env);
  const project = createHash('sha256').update(root).digest('hex').slice(0, 16);
  return folder === undefined ? undefined : join(folder, 'dashboard', project);
}

/** The folder for what an agent of a fleet keeps, such as clones: SAGA_DATA, or `~/.local/share/saga`. */
export const findPersonData = (env: Variables): string | undefined =>
  env.SAGA_DATA?.startsWith('/')
    ? env.SAGA_DATA
    : below(env.XDG_DATA_HOME, env.HOME, '.local/share');

/** Ignores an XDG path that is not absolute, as the rules for XDG folders demand. */
function below(xdg: string | undefined, home: string | undefined, usual: string) {
  if (xdg?.startsWith('/')) return join(xdg, 'saga');
  return home?.startsWith('/') ? join(home, usual, 'saga') : undefined;
}

/** The settings file of a person. */
export function findPersonSettings(env: Variables): string | undefined {
  const folder = findPersonConfig(env);
  return folder === undefined ? undefined : join(folder, 'config.json');
}
