import type { Invocation, InvocationRequest } from '../agent.ts';
import { knownSettings } from './account/account-settings.ts';
import { describeFeatures } from './client-features.ts';
import { TOKEN_VARIABLE } from './hook-token.ts';
import { buildOwnVariables } from './run-environment.ts';

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

/** Without these no story can be worked on. */
export const NEEDED_TOOLS = ['TaskList', 'TaskGet', 'TaskUpdate'];

/** One headless run, as the client of this version has to be asked for it. */
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
    // Any user of the machine can read arguments, so keys of the account stand here alone.
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
 * The settings of a repository can switch hooks off, empty their headers and change variables
 * (decision 20). What stands here wins over them, so everything the guard relies on is repeated.
 * A key that an old client does not know may cost it all its hooks, so each gets only its own.
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

/** The client's own sandbox around Bash. An absolute path begins with two slashes there. */
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
