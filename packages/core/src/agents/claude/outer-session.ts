import { RUN_VARIABLE } from '../../processes/variables.ts';
import { isAccountVariable } from './account/account-settings.ts';
import { LIST_VARIABLE, PROJECT_VARIABLE } from './client-home.ts';
import { TOKEN_VARIABLE } from './hook-token.ts';
import { PLACE_VARIABLES } from './stage-environment.ts';

type Variables = Readonly<Record<string, string | undefined>>;

/** Variables that would tie a run to another session or an editor, or give it fewer tools than it needs. */
const NEVER = [
  LIST_VARIABLE,
  PROJECT_VARIABLE,
  TOKEN_VARIABLE,
  RUN_VARIABLE,
  'CLAUDE_CODE_SIMPLE',
  'CLAUDE_CODE_SSE_PORT',
  'CLAUDE_ENV_FILE',
];

/** What a session of the client sets for its children, and nobody else. */
const IS_INSIDE =
  /^(CLAUDECODE|CLAUDE_PID|CLAUDE_CODE_(SESSION_ID|CHILD_SESSION|ENTRYPOINT|EXECPATH))$/;

/** The client's own variables, whatever a later version calls them. */
const OWN = /^(CLAUDE(CODE$|_)|AI_AGENT$)/;

/** Names by which a person sets the client up. A session never says by them what it is. */
const SETS_UP =
  /^CLAUDE_(CODE_)?((USE|SKIP|DISABLE|ENABLE|NO|MAX|SUBAGENT|AUTO_?COMPACT)_\w+|\w+_TIMEOUT(_MS)?|SHELL(_PREFIX)?|EFFORT_LEVEL|EXTRA_BODY|SUBPROCESS_ENV_SCRUB)$/;

/**
 * Removes what a session of the client around this process has set: a run that inherited it would act as part of that
 * session. Inside a session only those of the client's variables stay that set the client up; outside of one, all are
 * the person's.
 */
export function withoutOuterSession(env: Variables): Record<string, string | undefined> {
  const isInside = Object.keys(env).some((name) => IS_INSIDE.test(name));
  const isForeign = (name: string) => isInside && OWN.test(name) && !isPersons(name);
  return Object.fromEntries(
    Object.entries(env).filter(([name]) => !NEVER.includes(name) && !isForeign(name)),
  );
}

const isPersons = (name: string) =>
  isAccountVariable(name) || PLACE_VARIABLES.includes(name) || SETS_UP.test(name);
