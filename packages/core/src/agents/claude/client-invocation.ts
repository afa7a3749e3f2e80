import type { Invocation, InvocationRequest } from '../agent.ts';
import { knownSettings } from './account/account-settings.ts';
import { describeFeatures } from './client-features.ts';
import { TOKEN_VARIABLE } from './hook-token.ts';
import { buildOwnVariables } from './run-environment.ts';

const BUILT_IN_TOOLS = [
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
  const own = buildOwnVariables(request);
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
      JSON.stringify(buildSettings(request, own)),
      '--session-id',
      sessionId,
      '--model',
      model,
      ...(maxUsd === null ? [] : ['--max-budget-usd', String(maxUsd)]),
    ],
    // Every user of the machine can read arguments, so secrets of the account are only here.
    env: {
      ...request.account.env,
      ...own,
      ...(request.isRoot && config.worker.permissions === 'bypass' ? { IS_SANDBOX: '1' } : {}),
    },
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
    ...knownSettings(request.account, request.version),
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
