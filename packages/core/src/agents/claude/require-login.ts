import { SagaError } from '../../errors.ts';
import type { Environment } from '../../processes/run.ts';
import type { LoginQuestion } from '../agent.ts';
import { askLogin, knowsLogin } from './account/login.ts';
import { readAccount } from './account/read-account.ts';
import { withoutOuterSession } from './outer-session.ts';
import { bypassProxy } from './run-environment.ts';

/**
 * Returns how a run in a folder would log in, in words; undefined if this client cannot tell. Throws if
 * the run would not be logged in.
 */
export async function requireLogin(question: LoginQuestion): Promise<string | undefined> {
  const { program, home, folder, env: around, isQuick } = question;
  const account = readAccount(home, folder);
  const inherited = { ...withoutOuterSession(around), ...account.env };
  const env = { ...inherited, ...bypassProxy(inherited) };
  const known = isQuick ? findNamedKey(env) : undefined;
  if (known !== undefined) return `logged in (${known})`;
  if (!knowsLogin(program.version)) return undefined;
  const { loggedIn, authMethod } = (await askLogin({ ...program, folder, env, account })) ?? {};
  if (loggedIn === false) {
    throw new SagaError(
      'credential-refused',
      'Claude Code is not logged in, so no story can be run.',
      'Start claude and type /login, or set ANTHROPIC_API_KEY',
    );
  }
  if (loggedIn !== true) return undefined;
  return authMethod ? `logged in (${authMethod})` : 'logged in';
}

/**
 * Variables with which the client says that it is logged in, without a check. The value is the client's name for that
 * way to log in.
 */
const KEYS: Readonly<Record<string, string>> = {
  ANTHROPIC_API_KEY: 'api_key',
  ANTHROPIC_AUTH_TOKEN: 'oauth_token',
  CLAUDE_CODE_OAUTH_TOKEN: 'oauth_token',
};

function findNamedKey(env: Environment): string | undefined {
  const name = Object.keys(KEYS).find((it) => env[it]);
  return name === undefined ? undefined : KEYS[name];
}
