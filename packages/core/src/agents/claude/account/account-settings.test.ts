import { describe, expect, test } from 'vitest';
import { knownSettings, pickAccount } from './account-settings.ts';

const variables = (env: object, project: object = {}) => pickAccount({ env }, project).env;

describe('settings', () => {
  test('those of the account are picked, and nothing else', () => {
    const account = {
      apiKeyHelper: '~/print-key',
      awsAuthRefresh: 'aws sso login',
      awsCredentialExport: '/opt/export',
      gcpAuthRefresh: 'gcloud auth login',
      otelHeadersHelper: '/opt/headers',
      proxyAuthHelper: '/opt/proxy',
      forceLoginMethod: 'console',
      forceLoginOrgUUID: 'org',
      modelOverrides: { 'claude-opus-5': 'arn:aws:bedrock:x' },
    };
    const rest = {
      disableAllHooks: true,
      allowManagedHooksOnly: true,
      hooks: { PreToolUse: [] },
      permissions: { defaultMode: 'bypassPermissions' },
      enabledPlugins: { 'x@y': true },
      enableAllProjectMcpServers: true,
      sandbox: { enabled: false },
      statusLine: { type: 'command', command: 'x' },
      model: 'haiku',
      constructor: 'x',
    };
    expect(pickAccount({ ...account, ...rest }, {})).toEqual({ settings: account, env: {} });
  });

  test('one of the wrong kind is left out: it could cost an old client all its hooks', () => {
    const wrong = {
      apiKeyHelper: 1,
      awsAuthRefresh: '',
      forceLoginMethod: 'carrier-pigeon',
      modelOverrides: ['x'],
    };
    expect(pickAccount(wrong, {}).settings).toEqual({});
  });

  test("the project's own outweigh them, as in the client", () => {
    const person = { apiKeyHelper: 'mine', awsAuthRefresh: 'mine' };
    expect(pickAccount(person, { apiKeyHelper: 'theirs' }).settings).toEqual({
      awsAuthRefresh: 'mine',
    });
  });

  test.each([
    ['2.1.30', ['apiKeyHelper']],
    ['2.1.100', ['apiKeyHelper', 'gcpAuthRefresh']],
    ['2.1.233', ['apiKeyHelper', 'gcpAuthRefresh', 'proxyAuthHelper']],
  ])('%s gets those that it knows', (version, keys) => {
    const settings = { apiKeyHelper: 'a', gcpAuthRefresh: 'b', proxyAuthHelper: 'c' };
    expect(Object.keys(knownSettings({ settings, env: {} }, version))).toEqual(keys);
  });
});

test.each([
  'ANTHROPIC_API_KEY',
  'ANTHROPIC_AUTH_TOKEN',
  'ANTHROPIC_BASE_URL',
  'ANTHROPIC_CUSTOM_HEADERS',
  'ANTHROPIC_DEFAULT_OPUS_MODEL',
  'ANTHROPIC_VERTEX_PROJECT_ID',
  'CLAUDE_CODE_USE_BEDROCK',
  'CLAUDE_CODE_USE_VERTEX',
  'CLAUDE_CODE_USE_FOUNDRY',
  'CLAUDE_CODE_SKIP_BEDROCK_AUTH',
  'CLAUDE_CODE_OAUTH_TOKEN',
  'CLAUDE_CODE_CLIENT_CERT',
  'AWS_PROFILE',
  'AWS_BEARER_TOKEN_BEDROCK',
  'AZURE_CLIENT_ID',
  'GOOGLE_APPLICATION_CREDENTIALS',
  'CLOUD_ML_REGION',
  'VERTEX_REGION_CLAUDE_4_5_SONNET',
  'HTTP_PROXY',
  'https_proxy',
  'NO_PROXY',
  'NODE_EXTRA_CA_CERTS',
  'SSL_CERT_FILE',
])('%s reaches a run', (name) => {
  expect(variables({ [name]: 'x' })).toEqual({ [name]: 'x' });
});

test.each([
  'ANTHROPIC_LOG',
  'BASH_ENV',
  'CLAUDE_CODE_API_KEY_FILE_DESCRIPTOR',
  'CLAUDE_CODE_ENABLE_TASKS',
  'CLAUDE_CODE_SAFE_MODE',
  'CLAUDE_CODE_SIMPLE',
  'CLAUDE_CODE_SKIP_PLUGIN_MCP_SERVERS',
  'CLAUDE_CODE_TASK_LIST_ID',
  'CLAUDE_CODE_USE_CCR_V2',
  'CLAUDE_CODE_USE_POWERSHELL_TOOL',
  'CLAUDE_CONFIG_DIR',
  'EDITOR',
  'IS_SANDBOX',
  'LD_PRELOAD',
  'MY_HTTP_PROXY',
  'NODE_OPTIONS',
  'NODE_TLS_REJECT_UNAUTHORIZED',
  'PATH',
  'SAGA_HOOK_TOKEN',
])('%s does not', (name) => {
  expect(variables({ [name]: 'x' })).toEqual({});
});

test('numbers and switches are variables too, other values are none', () => {
  const env = { API_TIMEOUT_MS: 5, CLAUDE_CODE_USE_BEDROCK: true, AWS_REGION: null, AWS_X: {} };
  expect(variables(env)).toEqual({ API_TIMEOUT_MS: '5', CLAUDE_CODE_USE_BEDROCK: 'true' });
});

test('hosts that the project exempts from a proxy stay exempt', () => {
  const project = { env: { NO_PROXY: 'theirs.example', ANTHROPIC_BASE_URL: 'http://x' } };
  expect(variables({ NO_PROXY: 'mine.example' }, project)).toEqual({ NO_PROXY: 'theirs.example' });
  expect(pickAccount(undefined, project).env).toEqual({ NO_PROXY: 'theirs.example' });
});

test.each([undefined, null, 'text', [], 5])('settings that are %o say nothing', (settings) => {
  expect(pickAccount(settings, settings)).toEqual({ settings: {}, env: {} });
});
