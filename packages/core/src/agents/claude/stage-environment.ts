import { PROVIDERS } from './account/account-settings.ts';
import { bypassProxy } from './run-environment.ts';

type Variables = Readonly<Record<string, string | undefined>>;

export interface Stage {
  /** Of the scripted model. */
  modelUrl: string;
  /** What the client would keep in its own home. */
  claudeConfig: string;
  temp: string;
}

/** What points a client at another model or another account; nothing of it may reach a rehearsal. */
const ACCOUNT = /^(ANTHROPIC_|CLAUDE_CODE_(USE|SKIP|OAUTH|API|HOST|REMOTE)|CLAUDE_CONFIG_DIR$)/;

/** The variables of a client that talks to a scripted model and to nobody else. */
export function stageEnvironment(env: Variables, stage: Stage): Record<string, string | undefined> {
  const kept = Object.entries(env).filter(([key]) => !ACCOUNT.test(key));
  return {
    ...Object.fromEntries(kept),
    ...stageVariables(env, stage),
    CLAUDE_CONFIG_DIR: stage.claudeConfig,
    CLAUDE_CODE_TMPDIR: stage.temp,
  };
}

/** Variables that say where the client keeps what is its own. */
export const PLACE_VARIABLES = ['CLAUDE_CONFIG_DIR', 'CLAUDE_CODE_TMPDIR'];

/** Those that the settings of a repository could change, so they are said again in stronger ones. */
export function stageVariables(env: Variables, { modelUrl }: Stage): Record<string, string> {
  return {
    ANTHROPIC_BASE_URL: modelUrl,
    ANTHROPIC_API_KEY: 'scripted',
    ANTHROPIC_AUTH_TOKEN: '',
    ANTHROPIC_UNIX_SOCKET: '',
    ANTHROPIC_CUSTOM_HEADERS: '',
    ...Object.fromEntries(PROVIDERS.map((name) => [`CLAUDE_CODE_USE_${name}`, '0'])),
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    // What a company has its clients report goes to an address of its own.
    CLAUDE_CODE_ENABLE_TELEMETRY: '0',
    DISABLE_AUTOUPDATER: '1',
    ...bypassProxy(env),
  };
}
