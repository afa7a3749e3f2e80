import { RUN_VARIABLE } from '../../processes/variables.ts';
import { LIST_VARIABLE, PROJECT_VARIABLE } from './client-home.ts';
import { TOKEN_VARIABLE } from './hook-token.ts';

/**
 * Variables of a Claude session around the worker. A run that inherited them would act as part of that
 * session.
 */
const SESSION_VARIABLES = [
  'CLAUDECODE',
  'CLAUDE_CODE_SESSION_ID',
  LIST_VARIABLE,
  'CLAUDE_CODE_ENTRYPOINT',
  'CLAUDE_CODE_CHILD_SESSION',
  'CLAUDE_CODE_SESSION_ATTENDED',
  'CLAUDE_CODE_MESSAGING_SOCKET',
  'CLAUDE_CODE_MESSAGING_TOKEN',
  'CLAUDE_CODE_SSE_PORT',
  'CLAUDE_CODE_SIMPLE',
  'CLAUDE_ENV_FILE',
  PROJECT_VARIABLE,
  'CLAUDE_PLUGIN_ROOT',
  'CLAUDE_PLUGIN_DATA',
  'CLAUDE_PID',
  'CLAUDE_EFFORT',
  'AI_AGENT',
  TOKEN_VARIABLE,
  RUN_VARIABLE,
];

export function withoutOuterSession(
  env: Readonly<Record<string, string | undefined>>,
): Record<string, string | undefined> {
  return Object.fromEntries(
    Object.entries(env).filter(([key]) => !SESSION_VARIABLES.includes(key)),
  );
}
