import { dirname } from 'node:path';
import { RUN_VARIABLE } from '../../processes/run-mark.ts';
import type { Invocation, InvocationRequest } from '../agent.ts';
import { describeFeatures } from './client-features.ts';
import { LIST_VARIABLE } from './client-home.ts';
import { TOKEN_VARIABLE } from './hook-token.ts';

export const BUILT_IN_TOOLS = [
  'Bash',
  'Read',
  'Write',
  'Edit',
  'NotebookEdit',
  'Glob',
  'Grep',
  'TaskList',
  'TaskGet',
  'TaskUpdate',
  'TaskCreate',
];

/** The tools that every run needs. */
export const NEEDED_TOOLS = ['TaskList', 'TaskGet', 'TaskUpdate'];

/** Builds the arguments and variables of one headless run, for this version of the client. */
export function buildInvocation(request: InvocationRequest): Invocation {
  const { config, sessionId, model, maxUsd } = request;
  const { tools, mcpServers } = config.worker;
  const named = tools.map((rule) => rule.replace(/\(.*$/s, ''));
  const env = buildEnvironment(request);
  const mcp = Object.keys(mcpServers).length > 0 ? [JSON.stringify({ mcpServers })] : [];
  return {
    args: [
      '-p',
      '--output-format',
      'stream-json',
      '--verbose',
      ...buildPermissions(request),
      '--tools',
      [...new Set([...BUILT_IN_TOOLS, ...named])].join(','),
      '--strict-mcp-config',
      ...mcp.flatMap((text) => ['--mcp-config', text]),
      '--setting-sources',
      'project',
      '--settings',
      JSON.stringify(buildSettings(request, env)),
      '--session-id',
      sessionId,
      '--model',
      model,
      ...(maxUsd === null ? [] : ['--max-budget-usd', String(maxUsd)]),
    ],
    env:
      request.isRoot && config.worker.permissions === 'bypass' ? { ...env, IS_SANDBOX: '1' } : env,
  };
}

function buildPermissions({ config }: InvocationRequest): string[] {
  const { permissions, tools } = config.worker;
  const allow = (rules: string[]) => ['--allowedTools', rules.join(',')];
  switch (permissions) {
    case 'bypass':
      return ['--permission-mode', 'bypassPermissions'];
    case 'allowlist':
      return ['--permission-mode', 'dontAsk', ...allow(['Read(./**)', 'Edit(./**)', ...tools])];
    case 'guarded':
      return ['--permission-mode', 'acceptEdits', ...allow(['Bash', ...tools])];
  }
}

function buildEnvironment(request: InvocationRequest): Record<string, string> {
  return {
    ...request.variables,
    CLAUDE_CODE_ENABLE_TASKS: 'true',
    CLAUDE_CODE_ENABLE_TODO_TOOLS: '1',
    ENABLE_TOOL_SEARCH: 'false',
    [LIST_VARIABLE]: request.taskListId,
    CLAUDE_CODE_MAX_RETRIES: '4',
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

/**
 * Builds the settings of one run. The settings of a repository can switch off hooks, empty their
 * headers and change variables (decision 20). These settings take precedence, so they repeat
 * everything the guard relies on. A key that an old client does not know may disable all its hooks, so
 * each version gets only keys that it knows.
 */
function buildSettings(request: InvocationRequest, env: Record<string, string>): object {
  const { httpHooks, onFailure } = describeFeatures(request.version);
  const { guard } = request;
  const hook = httpHooks
    ? {
        type: 'http',
        url: guard.url,
        headers: { Authorization: `Bearer $${TOKEN_VARIABLE}` },
        allowedEnvVars: [TOKEN_VARIABLE],
        timeout: HOOK_SECONDS,
        ...(onFailure ? { onFailure: 'block' } : {}),
      }
    : { type: 'command', command: guard.command, timeout: HOOK_SECONDS };
  return {
    disableAllHooks: false,
    ...(httpHooks
      ? { allowedHttpHookUrls: ['http://127.0.0.1:*'], httpHookAllowedEnvVars: [TOKEN_VARIABLE] }
      : {}),
    hooks: {
      UserPromptSubmit: [{ hooks: [hook] }],
      PreToolUse: [{ matcher: '*', hooks: [hook] }],
    },
    permissions: { deny: ['Bash(git push:*)'] },
    env,
    ...(request.config.worker.sandbox ? { sandbox: buildSandbox(request) } : {}),
  };
}

const HOOK_SECONDS = 30;

/** The client's own sandbox for Bash. There, an absolute path begins with two slashes. */
function buildSandbox({ confinement }: InvocationRequest): object {
  return {
    enabled: true,
    failIfUnavailable: true,
    autoAllowBashIfSandboxed: true,
    allowUnsandboxedCommands: false,
    filesystem: { allowWrite: confinement.writable.map((path) => `/${path}`) },
    network: { allowedDomains: confinement.hosts, allowLocalBinding: true },
  };
}
