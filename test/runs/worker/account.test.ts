import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Finding } from '@saga-ai/types/screens/finding';
import { expect, test } from 'vitest';
import { startProxy } from '../../rig/client/proxy.ts';
import { bash, findAnswers, misbehave } from '../../rig/worker/misbehave.ts';
import { createTmuxServer } from '../../rig/worker/tmux-server.ts';
import { createWorkshop, type Workshop } from '../../rig/worker/workshop.ts';

/** What a person has in the folder of the client, below their home. */
function writeSettings(it: Workshop, settings: object | string, folder = '.claude'): string {
  const file = join(it.home, folder, 'settings.json');
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, typeof settings === 'string' ? settings : JSON.stringify(settings));
  return file;
}

/** A person whose shell says nothing of an account. */
function forgetAccount(it: Workshop, ...names: string[]): void {
  for (const name of names) delete it.environment[name];
}

function writeHelper(it: Workshop, key: string): string {
  const path = join(it.home, 'print-key');
  writeFileSync(path, `#!/bin/sh\necho ${key}\n`, { mode: 0o755 });
  return path;
}

async function runStory(it: Workshop, env: Record<string, string> = {}) {
  it.story('cart', {}, { one: {} });
  const { code, stderr } = await it.saga(['worker', 'cart'], { env });
  return { code, stderr };
}

const DONE = { code: 0, stderr: '' };

const turnsOf = ({ model }: Workshop) => model.requests.filter(({ kind }) => kind === 'turn');

async function askLogin(it: Workshop) {
  const { stdout } = await it.saga(['doctor', '--json']);
  const { findings } = JSON.parse(stdout) as { findings: Finding[] };
  return findings
    .filter(({ name }) => name === 'login')
    .map(({ state, message }) => `${state}: ${message}`);
}

test('a story comes through with a key that only apiKeyHelper knows', async () => {
  await using it = await createWorkshop();
  forgetAccount(it, 'ANTHROPIC_API_KEY');
  writeSettings(it, { apiKeyHelper: writeHelper(it, 'key-of-the-helper') });
  expect(await askLogin(it)).toEqual(['ok: logged in (api_key_helper)']);
  expect(await runStory(it)).toEqual(DONE);
  expect(turnsOf(it).map(({ headers }) => headers['x-api-key'])).toContain('key-of-the-helper');
});

test('a story comes through with a gateway that only the settings name', async () => {
  await using it = await createWorkshop();
  forgetAccount(it, 'ANTHROPIC_API_KEY', 'ANTHROPIC_BASE_URL');
  const env = { ANTHROPIC_BASE_URL: it.model.url, ANTHROPIC_AUTH_TOKEN: 'token-of-the-gateway' };
  writeSettings(it, { env }, 'elsewhere');
  it.environment.CLAUDE_CONFIG_DIR = join(it.home, 'elsewhere');
  expect(await askLogin(it)).toEqual(['ok: logged in (oauth_token)']);
  expect(await runStory(it)).toEqual(DONE);
  expect(turnsOf(it)[0]?.headers.authorization).toBe('Bearer token-of-the-gateway');
});

test('of all other settings of a person nothing reaches a run', async () => {
  const show = bash('echo "[$FROM_PERSON|$NODE_OPTIONS|$CLAUDE_CODE_SAFE_MODE]"');
  await using it = await createWorkshop({ model: { policy: misbehave([show]) } });
  forgetAccount(it, 'ANTHROPIC_API_KEY');
  const trace = join(it.home, 'hook-of-the-person-ran');
  const hook = { type: 'command', command: `touch ${trace}` };
  writeSettings(it, {
    apiKeyHelper: writeHelper(it, 'key'),
    env: { FROM_PERSON: 'yes', NODE_OPTIONS: '--no-warnings', CLAUDE_CODE_SAFE_MODE: '1' },
    disableAllHooks: true,
    hooks: { UserPromptSubmit: [{ hooks: [hook] }], PreToolUse: [{ hooks: [hook] }] },
    permissions: { deny: ['Bash', 'Write', 'TaskUpdate'] },
  });
  expect(await runStory(it)).toEqual(DONE);
  expect(findAnswers(it, 1)[0]?.text).toContain('[||]');
  expect(existsSync(trace)).toBe(false);
});

test('behind a proxy the model is asked through it, and the guard is not', async () => {
  await using it = await createWorkshop();
  await using proxy = await startProxy(it.model.url);
  it.environment.ANTHROPIC_BASE_URL = 'http://models.example';
  it.environment.NO_PROXY = 'intranet.example';
  writeSettings(it, { env: { HTTP_PROXY: proxy.url } });
  expect(await runStory(it)).toEqual(DONE);
  expect(turnsOf(it).length).toBeGreaterThan(0);
  expect(proxy.addresses.filter((it) => it.includes('models.example')).length).toBeGreaterThan(0);
  expect(proxy.addresses.filter((it) => it.includes('127.0.0.1'))).toEqual([]);
});

test('behind a proxy that the shell names, without NO_PROXY', async () => {
  await using it = await createWorkshop();
  await using proxy = await startProxy(it.model.url);
  const env = { HTTP_PROXY: proxy.url, http_proxy: proxy.url };
  expect(await runStory(it, env)).toEqual(DONE);
  expect(proxy.addresses).toEqual([]);
});

test('settings that cannot be read are told, and the run goes on', async () => {
  await using it = await createWorkshop();
  const file = writeSettings(it, '{ "apiKeyHelper": ');
  expect((await askLogin(it))[0]).toContain(`warning: ${file} cannot be read`);
  expect(await runStory(it)).toEqual(DONE);
  expect(it.events().filter(({ type }) => type === 'account:unread')).toMatchObject([
    { path: file, reason: expect.stringContaining('JSON') },
  ]);
});

test('without a login, saga run says so before anything is made', async () => {
  await using it = await createWorkshop({ remote: false });
  using tmux = createTmuxServer();
  forgetAccount(it, 'ANTHROPIC_API_KEY');
  it.story('cart', {}, { one: {} });
  const before = it.git('for-each-ref');
  const { code, stderr } = await it.saga(['run', 'cart'], { env: tmux.environment });
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr: expect.stringMatching(
      /Claude Code is not logged in.*\[credential-refused\]\n.*\/login/s,
    ),
  });
  expect([it.git('for-each-ref'), it.outputFiles(), tmux.sessions()]).toEqual([before, [], []]);
  expect((await it.saga(['status'])).stdout).toContain('○ cart  0/1  ready');
});
