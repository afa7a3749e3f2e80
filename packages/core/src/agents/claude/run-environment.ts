import { dirname } from 'node:path';
import { RUN_VARIABLE } from '../../processes/variables.ts';
import type { InvocationRequest } from '../agent.ts';
import { LIST_VARIABLE } from './client-home.ts';
import { TOKEN_VARIABLE } from './hook-token.ts';

type Variables = Readonly<Record<string, string | undefined>>;

/** The variables that a run relies on. They win over the person's and the repository's. */
export function buildOwnVariables(request: InvocationRequest): Record<string, string> {
  return {
    ...request.variables,
    ...bypassProxy({ ...request.inherited, ...request.account.env, ...request.variables }),
    CLAUDE_CODE_ENABLE_TASKS: 'true',
    CLAUDE_CODE_ENABLE_TODO_TOOLS: '1',
    ENABLE_TOOL_SEARCH: 'false',
    [LIST_VARIABLE]: request.taskListId,
    DISABLE_AUTOUPDATER: '1',
    // The client waits for its background commands: a server would keep a finished run alive.
    CLAUDE_CODE_DISABLE_BACKGROUND_TASKS: '1',
    SAGA_STORY_ID: request.storyId,
    SAGA_STORY_TASK_LIST_ID: request.taskListId,
    SAGA_PROJECT_DIR: request.projectFolder,
    // If a worktree loses its .git file, git must not use a checkout around it.
    GIT_CEILING_DIRECTORIES: dirname(request.worktree),
    [RUN_VARIABLE]: request.runId,
    [TOKEN_VARIABLE]: request.guard.token,
  };
}

const LOOPBACK = ['127.0.0.1', 'localhost', '::1'];

/**
 * Exempts this machine from any proxy, in addition to the hosts that are exempt already. A proxy cannot
 * reach the guard, and a hook that gets no answer lets the call through.
 */
export function bypassProxy(env: Variables): { NO_PROXY: string; no_proxy: string } {
  const exempt = [env.NO_PROXY, env.no_proxy].flatMap((it) => (it ?? '').split(/[\s,]+/));
  // A star exempts all hosts, but only if it is the whole value.
  const hosts = exempt.includes('*') ? ['*'] : [...exempt.filter(Boolean), ...LOOPBACK];
  const value = [...new Set(hosts)].join(',');
  return { NO_PROXY: value, no_proxy: value };
}
