import type { Stage } from '../agent.ts';
import { PROVIDERS } from './account/account-settings.ts';
import { bypassProxy } from './run-environment.ts';

type Variables = Readonly<Record<string, string | undefined>>;

/** Variables that select another model or account. None of them may reach a rehearsal. */
const ACCOUNT = /^(ANTHROPIC_|CLAUDE_CODE_(USE|SKIP|OAUTH|API|HOST|REMOTE)|CLAUDE_CONFIG_DIR$)/;

/** The variables of a client that talks only to a scripted model. */
export function stageEnvironment(env: Variables, stage: Stage): Record<string, string | undefined> {
  const kept = Object.entries(env).filter(([key]) => !ACCOUNT.test(key));
  return {
    ...Object.fromEntries(kept),
    ...stageVariables(env, stage),
    CLAUDE_CONFIG_DIR: stage.home.config,
    CLAUDE_CODE_TMPDIR: stage.temp,
  };
}

/** Variables that say where the client keeps its own files. */
export const PLACE_VARIABLES = ['CLAUDE_CONFIG_DIR', 'CLAUDE_CODE_TMPDIR'];

/**
 * The variables that a repository's settings could change, so they are repeated in settings with
 * higher precedence.
 */
export function stageVariables(env: Variables, { modelUrl }: Stage): Record<string, string> {
  return {
    ANTHROPIC_BASE_URL: modelUrl,
    ANTHROPIC_API_KEY: 'scripted',
    ANTHROPIC_AUTH_TOKEN: '',
    ANTHROPIC_UNIX_SOCKET: '',
    ANTHROPIC_CUSTOM_HEADERS: '',
    ...Object.fromEntries(PROVIDERS.map((name) => [`CLAUDE_CODE_USE_${name}`, '0'])),
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    // A company's telemetry would go to another address.
    CLAUDE_CODE_ENABLE_TELEMETRY: '0',
    DISABLE_AUTOUPDATER: '1',
    // The scripted model is on this machine: if it does not answer, it will not answer later.
    CLAUDE_CODE_MAX_RETRIES: '2',
    ...bypassProxy(env),
  };
}
