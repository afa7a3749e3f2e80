import { Config } from '@saga-ai/types/config';
import { describe, expect, test } from 'vitest';
import type { InvocationRequest } from '../agent.ts';
import { NO_ACCOUNT } from './account/account-settings.ts';
import { buildInvocation } from './client-invocation.ts';

const GUARD = { url: 'http://127.0.0.1:1234/hook', token: 'secret', command: 'node guard.mjs' };

function build(worker: object = {}, more: Partial<InvocationRequest> = {}) {
  return buildInvocation({
    version: '2.1.325',
    config: Config.parse({ worker }),
    model: 'opus',
    sessionId: 'session',
    storyId: 'cart',
    taskListId: 'list',
    projectFolder: '/p',
    worktree: '/p.stories/cart',
    runId: 'run',
    guard: GUARD,
    maxUsd: null,
    isRoot: false,
    inherited: {},
    account: NO_ACCOUNT,
    project: {},
    variables: {},
    ...more,
  });
}

function findValue(args: readonly string[], flag: string): string | undefined {
  const at = args.indexOf(flag);
  return at === -1 ? undefined : args[at + 1];
}

function settingsOf(version: string, worker: object = {}) {
  return JSON.parse(findValue(build(worker, { version }).args, '--settings') ?? '');
}

const HTTP = {
  type: 'http',
  url: GUARD.url,
  headers: { Authorization: 'Bearer $SAGA_HOOK_TOKEN' },
  allowedEnvVars: ['SAGA_HOOK_TOKEN'],
  timeout: 30,
};

describe('each client gets only settings that it knows', () => {
  test.each([
    ['2.1.30', { type: 'command', command: GUARD.command, timeout: 30 }],
    ['2.1.62', { type: 'command', command: GUARD.command, timeout: 30 }],
    ['2.1.63', HTTP],
    ['2.1.100', HTTP],
    ['2.1.294', HTTP],
    ['2.1.295', { ...HTTP, onFailure: 'block' }],
    ['2.1.325', { ...HTTP, onFailure: 'block' }],
    ['2.2.0', { ...HTTP, onFailure: 'block' }],
    ['10.0.0', { ...HTTP, onFailure: 'block' }],
  ])('%s', (version, hook) => {
    expect(settingsOf(version).hooks).toEqual({
      UserPromptSubmit: [{ hooks: [hook] }],
      PreToolUse: [{ matcher: '*', hooks: [hook] }],
    });
  });

  test('the oldest has no key that came later', () => {
    const keys = ['disableAllHooks', 'hooks', 'permissions', 'env'];
    expect(Object.keys(settingsOf('2.1.30'))).toEqual(keys);
    expect(settingsOf('2.1.100')).toMatchObject({
      allowedHttpHookUrls: ['http://127.0.0.1:*'],
      httpHookAllowedEnvVars: ['SAGA_HOOK_TOKEN'],
    });
  });
});

test('what the guard relies on stands in the settings too, where a project cannot outweigh it', () => {
  const { env } = build();
  const settings = settingsOf('2.1.325');
  expect(settings).toMatchObject({
    disableAllHooks: false,
    permissions: { deny: ['Bash(git push:*)'] },
  });
  expect(settings.env).toEqual(env);
  expect(env).toMatchObject({
    SAGA_HOOK_TOKEN: 'secret',
    SAGA_RUN_ID: 'run',
    SAGA_STORY_ID: 'cart',
    CLAUDE_CODE_TASK_LIST_ID: 'list',
  });
});

test('the token stands in no argument but the environment of the settings', () => {
  const { args } = build();
  const rest = args.filter((_, index) => args[index - 1] !== '--settings');
  expect(rest.join(' ')).not.toContain('secret');
  expect(JSON.stringify({ ...settingsOf('2.1.325'), env: {} })).not.toContain('secret');
});

describe('the account of the person', () => {
  const account = {
    settings: { apiKeyHelper: '~/print-key', gcpAuthRefresh: 'gcloud login' },
    env: {
      ANTHROPIC_AUTH_TOKEN: 'of-theirs',
      DISABLE_AUTOUPDATER: '0',
      NO_PROXY: 'a.example',
    },
  };
  const { args, env } = build({}, { account });

  test('its settings stand beside ours; an old client gets only those that it knows', () => {
    const settings = (version: string) =>
      JSON.parse(findValue(build({}, { account, version }).args, '--settings') ?? '');
    expect(settings('2.1.325')).toMatchObject({ ...account.settings, disableAllHooks: false });
    expect(settings('2.1.30')).toMatchObject({ apiKeyHelper: '~/print-key' });
    expect(settings('2.1.30')).not.toHaveProperty('gcpAuthRefresh');
  });

  test('ours win, whatever it says', () => {
    const settings = { hooks: {}, disableAllHooks: true, env: {}, permissions: {} };
    const mean = build({}, { account: { settings, env: { SAGA_HOOK_TOKEN: 'forged' } } });
    expect(findValue(mean.args, '--settings')).toBe(findValue(build().args, '--settings'));
    expect(mean.env).toEqual(build().env);
    expect(env.DISABLE_AUTOUPDATER).toBe('1');
    // The client keeps its own number of retries.
    expect(env).not.toHaveProperty('CLAUDE_CODE_MAX_RETRIES');
  });

  test('its variables are in the environment, and in no argument that others can read', () => {
    expect(env.ANTHROPIC_AUTH_TOKEN).toBe('of-theirs');
    expect(args.join(' ')).not.toContain('of-theirs');
  });

  test('the guard is asked without a proxy, also when the settings of the project name one', () => {
    const all = 'a.example,127.0.0.1,localhost,::1';
    expect(env).toMatchObject({ NO_PROXY: all, no_proxy: all });
    expect(JSON.parse(findValue(args, '--settings') ?? '').env).toMatchObject({ NO_PROXY: all });
  });
});

describe('permissions', () => {
  test.each([
    ['guarded', ['--permission-mode', 'acceptEdits', '--allowedTools', 'Bash']],
    ['allowlist', ['--permission-mode', 'dontAsk', '--allowedTools', 'Read(./**),Edit(./**)']],
    ['bypass', ['--permission-mode', 'bypassPermissions', '--tools']],
  ])('%s', (permissions, expected) => {
    const { args } = build({ permissions });
    const at = args.indexOf('--permission-mode');
    expect(args.slice(at, at + expected.length)).toEqual(expected);
  });

  test('only bypass needs to tell root that this is a sandbox', () => {
    const isSandbox = (permissions: string, isRoot: boolean) =>
      build({ permissions }, { isRoot }).env.IS_SANDBOX;
    expect(isSandbox('bypass', true)).toBe('1');
    expect(isSandbox('bypass', false)).toBeUndefined();
    expect(isSandbox('guarded', true)).toBeUndefined();
  });
});

describe('what a project adds', () => {
  test('tools are offered by name, and allowed by their rule', () => {
    const { args } = build({ tools: ['Agent', 'WebFetch(domain:example.org)', 'Bash'] });
    expect(findValue(args, '--tools')).toBe(
      'Bash,Read,Write,Edit,NotebookEdit,Glob,Grep,TaskList,TaskGet,TaskUpdate,TaskCreate,Agent,WebFetch',
    );
    expect(findValue(args, '--allowedTools')).toBe('Bash,Agent,WebFetch(domain:example.org),Bash');
  });

  test('servers are the only ones there are', () => {
    const server = { command: 'x' };
    expect(build().args).not.toContain('--mcp-config');
    const { args } = build({ mcpServers: { docs: server } });
    expect(args).toContain('--strict-mcp-config');
    expect(JSON.parse(findValue(args, '--mcp-config') ?? '')).toEqual({
      mcpServers: { docs: server },
    });
  });

  test('a budget is handed on', () => {
    expect(build().args).not.toContain('--max-budget-usd');
    expect(findValue(build({}, { maxUsd: 0.5 }).args, '--max-budget-usd')).toBe('0.5');
  });
});

describe('the files of the project', () => {
  const hook = { type: 'command', command: 'lint' };
  const theirs = {
    hooks: { PreToolUse: [{ matcher: 'Write', hooks: [hook] }], Stop: [{ hooks: [hook] }] },
    permissions: { allow: ['WebFetch'], deny: ['Read(.env)'], defaultMode: 'bypassPermissions' },
    env: { THEIRS: 'yes', SAGA_RUN_ID: 'wrong' },
    apiKeyHelper: 'print-key',
    disableAllHooks: true,
    allowedHttpHookUrls: [],
    unknown: 1,
  };
  const project = { '.claude/settings.json': JSON.stringify(theirs), 'CLAUDE.md': 'Use tabs.' };
  const { args } = build({}, { project });
  const settings = JSON.parse(findValue(args, '--settings') ?? '');

  test('no settings file is read by the client itself', () => {
    expect(findValue(args, '--setting-sources')).toBe('');
  });

  test('their hooks, rules and variables stand beside ours, which win', () => {
    expect(settings.hooks.PreToolUse).toHaveLength(2);
    expect(settings.hooks.Stop).toEqual(theirs.hooks.Stop);
    expect(settings.permissions).toEqual({
      allow: ['WebFetch'],
      deny: ['Read(.env)', 'Bash(git push:*)'],
    });
    expect(settings.env).toMatchObject({ THEIRS: 'yes', SAGA_RUN_ID: 'run' });
    expect(settings).toMatchObject({ apiKeyHelper: 'print-key', disableAllHooks: false });
    expect(settings.allowedHttpHookUrls).toEqual(['http://127.0.0.1:*']);
    expect(settings).not.toHaveProperty('unknown');
  });

  test('their instructions are told', () => {
    expect(findValue(args, '--append-system-prompt')).toContain('Use tabs.');
    expect(build().args).not.toContain('--append-system-prompt');
  });

  test.each([
    ['2.1.267', undefined],
    ['2.1.268', 'off'],
    ['2.1.327', 'off'],
  ])(
    'a conversation that goes on in %s hears instructions that changed since',
    (version, value) => {
      const { args } = build({}, { version, project, isContinued: true });
      expect(findValue(args, '--system-prompt-snapshot')).toBe(value);
    },
  );

  test.each(['', '[]', '{', '"text"', '{"hooks": [], "permissions": 1, "env": null}'])(
    'settings that are %s say nothing',
    (text) => {
      const { args } = build({}, { project: { '.claude/settings.json': text } });
      expect(findValue(args, '--settings')).toBe(findValue(build().args, '--settings'));
    },
  );
});

describe('models', () => {
  const options = (worker: object, version = '2.1.325') => {
    const { args } = build(worker, { version });
    return [findValue(args, '--fallback-model'), findValue(args, '--effort')];
  };
  test.each<[object, string, (string | undefined)[]]>([
    [{}, '2.1.325', [undefined, undefined]],
    [{ fallbackModel: 'sonnet', effort: 'low' }, '2.1.325', ['sonnet', 'low']],
    // The client refuses a fallback that is the model itself.
    [{ fallbackModel: 'opus' }, '2.1.325', [undefined, undefined]],
    [{ fallbackModel: 'opus,sonnet,haiku' }, '2.1.325', ['sonnet,haiku', undefined]],
    [{ effort: 'low' }, '2.1.100', [undefined, undefined]],
  ])('%j on %s', (worker, version, wanted) => {
    expect(options(worker, version)).toEqual(wanted);
  });

  test.each([{ fallbackModel: '--help' }, { lastAttemptModel: 'a b' }, { effort: 'huge' }])(
    '%j is refused',
    (worker) => {
      expect(Config.safeParse({ worker }).success).toBe(false);
    },
  );
});
