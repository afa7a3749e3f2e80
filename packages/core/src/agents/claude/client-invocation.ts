import type { AgentInvocation, InvocationRequest } from '../agent.ts';
import { knownSettings } from './account/account-settings.ts';
import { mergeSettings, pickProjectSettings } from './account/project-settings.ts';
import { formatAnswerSchema } from './answer-schema.ts';
import { describeFeatures } from './client-features.ts';
import { TOKEN_VARIABLE } from './hook-token.ts';
import { formatInstructions } from './instructions/format-instructions.ts';
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

/** Builds the arguments and variables of one headless run, for this version of the client. */
export function buildInvocation(request: InvocationRequest): AgentInvocation {
  const { version, config, sessionId, model, maxUsd, answerSchema } = request;
  const { mcpServers } = config.worker;
  const own = buildOwnVariables(request);
  const instructions = formatInstructions(request.project);
  const hasServers = !answerSchema && Object.keys(mcpServers).length > 0;
  const mcp = hasServers ? [JSON.stringify({ mcpServers })] : [];
  return {
    args: [
      '-p',
      // The prompt and later messages are lines of the client's input. The client repeats each line once the run reads
      // it.
      '--input-format',
      'stream-json',
      '--replay-user-messages',
      '--output-format',
      'stream-json',
      '--verbose',
      // Pieces of an answer are signs of life (decision 86).
      '--include-partial-messages',
      ...buildPermissions(request),
      '--tools',
      listTools(request).join(','),
      ...(answerSchema ? ['--json-schema', formatAnswerSchema(answerSchema)] : []),
      '--strict-mcp-config',
      ...mcp.flatMap((text) => ['--mcp-config', text]),
      // A run can write the project's settings at any time, and the client reads them again.
      '--setting-sources',
      '',
      '--settings',
      JSON.stringify(buildSettings(request, own)),
      request.isContinued ? '--resume' : '--session-id',
      sessionId,
      '--model',
      model,
      ...buildModelOptions(request),
      ...(instructions === undefined ? [] : ['--append-system-prompt', instructions]),
      ...(describeFeatures(version).keepsSystemPrompt ? ['--system-prompt-snapshot', 'off'] : []),
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

/** A run that answers a question may only look. */
function listTools({ config, answerSchema }: InvocationRequest): string[] {
  if (answerSchema) return ['Read', 'Glob', 'Grep'];
  const named = config.worker.tools.map((rule) => rule.replace(/\(.*$/s, ''));
  return [...new Set([...BUILT_IN_TOOLS, ...named])];
}

/** The client refuses a fallback that is the model itself. */
function buildModelOptions({ config, model, version }: InvocationRequest): string[] {
  const { fallbackModel, effort } = config.worker;
  const others = (fallbackModel ?? '').split(',').filter((it) => it !== '' && it !== model);
  const knowsEffort = describeFeatures(version).effort;
  return [
    ...(others.length > 0 ? ['--fallback-model', others.join(',')] : []),
    ...(effort !== null && knowsEffort ? ['--effort', effort] : []),
  ];
}

function buildPermissions({ config, answerSchema }: InvocationRequest): string[] {
  if (answerSchema) return ['--permission-mode', 'acceptEdits'];
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
 * Builds the settings of one run. The client gets no others. They are the settings of the project, as its base has
 * them, and SAGA's own, which win and contain everything that the guard relies on (decision 20). A key that an old
 * client does not know may disable all its hooks, so each version gets only keys that it knows.
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
        onFailure: onFailure ? 'block' : undefined,
      }
    : { type: 'command', command: guard.command, timeout: HOOK_SECONDS };
  const { version, account, project } = request;
  const picked = pickProjectSettings(project);
  const known = knownSettings({ settings: picked, env: {} }, version);
  const { hooks, permissions, env: variables } = picked;
  const theirs = { ...known, ...without({ hooks, permissions, env: variables }) };
  return mergeSettings(theirs, {
    ...knownSettings(account, version),
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
  });
}

const without = (fields: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));

const HOOK_SECONDS = 30;
