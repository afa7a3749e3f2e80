import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { request } from 'node:http';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { claude } from '../../agents/claude/agent.ts';
import { resolveReal } from '../../project/resolve-real.ts';
import { type Guard, startGuard } from './guard.ts';

let root: string;
let worktree: string;
let guard: Guard;
let events: { type: string; fields?: object }[];

beforeEach(async () => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'saga-guard-')));
  worktree = join(root, 'cart');
  mkdirSync(worktree);
  events = [];
  guard = await startGuard({
    place: {
      ...{ worktree, storyId: 'cart', homeFolder: root },
      ...claude.describeScope({ config: join(root, 'client') }, worktree),
    },
    wire: claude.guard,
    emit: (type, fields) => events.push({ type, fields: fields || undefined }),
  });
});
afterEach(async () => {
  await guard[Symbol.asyncDispose]();
  rmSync(root, { recursive: true });
});

interface Question {
  method?: string;
  headers?: Record<string, string>;
  body?: string | Buffer;
}

async function ask({ method = 'POST', headers, body = '' }: Question) {
  const { url, token } = guard.address;
  const given = headers ?? { authorization: `Bearer ${token}` };
  return new Promise<{ status: number | undefined; text: string }>((resolve, reject) => {
    const call = request(url, { method, headers: given, agent: false }, async (answer) => {
      let text = '';
      for await (const chunk of answer) text += chunk;
      resolve({ status: answer.statusCode, text });
    });
    call.on('error', reject);
    call.end(body);
  });
}

const write = (path: string, more: object = {}) =>
  JSON.stringify({
    hook_event_name: 'PreToolUse',
    tool_name: 'Write',
    tool_input: { file_path: path },
    tool_use_id: 'call-1',
    cwd: worktree,
    ...more,
  });

const decisionOf = (text: string) => JSON.parse(text).hookSpecificOutput?.permissionDecision;

test('an allowed call is answered with no opinion, so that other rules still count', async () => {
  expect(await ask({ body: write('a.ts') })).toEqual({ status: 200, text: '{}' });
  expect(guard.wasAskedAbout('call-1')).toBe(true);
  expect(events).toEqual([]);
});

test('a denied call comes with a reason, and is told', async () => {
  const { status, text } = await ask({ body: write('../a.ts') });
  expect(status).toBe(200);
  expect(JSON.parse(text).hookSpecificOutput).toEqual({
    hookEventName: 'PreToolUse',
    permissionDecision: 'deny',
    permissionDecisionReason: expect.stringContaining('outside'),
  });
  expect(events).toMatchObject([{ type: 'guard:denied', fields: { tool: 'Write' } }]);
});

describe('who is not the client is turned away', () => {
  const bearer = () => ({ authorization: `Bearer ${guard.address.token}` });
  test.each<[string, () => Question]>([
    ['no token', () => ({ headers: {} })],
    ['an empty token', () => ({ headers: { authorization: 'Bearer ' } })],
    ['a wrong token', () => ({ headers: { authorization: `Bearer ${'0'.repeat(48)}` } })],
    [
      'a token that is too long',
      () => ({ headers: { authorization: `${bearer().authorization}0` } }),
    ],
    ['another Host', () => ({ headers: { ...bearer(), host: 'example.org' } })],
    ['another name of loopback', () => ({ headers: { ...bearer(), host: 'localhost:80' } })],
    ['a page in a browser', () => ({ headers: { ...bearer(), origin: 'http://127.0.0.1' } })],
    ['GET', () => ({ method: 'GET', headers: bearer() })],
  ])('%s', async (_, question) => {
    const body = question().method === 'GET' ? '' : write('a.ts');
    expect(await ask({ ...question(), body })).toEqual({ status: 403, text: '{}' });
    const prompt = JSON.stringify({ hook_event_name: 'UserPromptSubmit' });
    if (body) await ask({ ...question(), body: prompt });
    expect(guard.wasAskedAboutPrompt()).toBe(false);
    expect(guard.wasAskedAbout('call-1')).toBe(false);
  });
});

describe('what cannot be understood is denied', () => {
  test.each([
    ['nothing', ''],
    ['no JSON', 'file_path=a'],
    ['null', 'null'],
    ['a number', '5'],
    ['an unknown event', JSON.stringify({ hook_event_name: 'Other' })],
    ['no tool', write('a.ts', { tool_name: undefined })],
    ['a strange input', write('a.ts', { tool_input: 'a' })],
    ['a strange folder', write('a.ts', { cwd: 7 })],
    ['no folder', write('../a.ts', { cwd: undefined })],
  ])('%s', async (_, body) => {
    const { status, text } = await ask({ body });
    expect(status).toBe(200);
    expect(decisionOf(text)).toBe('deny');
    expect(guard.wasAskedAboutPrompt()).toBe(false);
  });

  test('more than it would keep, and it still answers', async () => {
    const { status, text } = await ask({ body: Buffer.alloc(65 * 1024 * 1024, 'x') });
    expect(status).toBe(200);
    expect(decisionOf(text)).toBe('deny');
    expect(events).toEqual([{ type: 'guard:failed', fields: { reason: 'the call is too large' } }]);
  });
});

test('it knows whether it was asked about the prompt, until the next run', async () => {
  expect(guard.wasAskedAboutPrompt()).toBe(false);
  await ask({ body: JSON.stringify({ hook_event_name: 'UserPromptSubmit' }) });
  await ask({ body: write('a.ts') });
  expect(guard.wasAskedAboutPrompt()).toBe(true);
  guard.reset();
  expect(guard.wasAskedAboutPrompt()).toBe(false);
  expect(guard.wasAskedAbout('call-1')).toBe(false);
});

test('closed, it answers nobody and leaves nothing', async () => {
  await ask({ body: write('a.ts') });
  await guard[Symbol.asyncDispose]();
  await expect(ask({ body: write('a.ts') })).rejects.toThrow('ECONNREFUSED');
  expect(readdirSync(root)).toEqual(['cart']);
});

describe('the program for old clients', () => {
  function runCommand(
    body: string,
    env: Record<string, string> = {},
    command = guard.address.command,
  ) {
    const variables = { PATH: process.env.PATH, SAGA_HOOK_TOKEN: guard.address.token, ...env };
    return new Promise<{ code: unknown; stdout: string }>((resolve) => {
      const done = (error: { code?: unknown } | null, stdout: string) =>
        resolve({ code: error?.code ?? 0, stdout });
      execFile('sh', ['-c', command], { env: variables }, done).stdin?.end(body);
    });
  }

  test('lets through what is allowed and hands on what is denied', async () => {
    expect(await runCommand(write('a.ts'))).toEqual({ code: 0, stdout: '' });
    const { code, stdout } = await runCommand(write('../a.ts'));
    expect(code).toBe(0);
    expect(JSON.parse(stdout).hookSpecificOutput).toEqual({
      hookEventName: 'PreToolUse',
      permissionDecision: 'deny',
      permissionDecisionReason: expect.stringMatching(/^\.\.\/a\.ts is outside/),
    });
  });

  test('denies with a wrong token, and what no one can read', async () => {
    expect(await runCommand(write('a.ts'), { SAGA_HOOK_TOKEN: 'x' })).toMatchObject({ code: 2 });
    expect(decisionOf((await runCommand('')).stdout)).toBe('deny');
  });

  test('heeds no file that a project would have Node load first', async () => {
    const env = { NODE_OPTIONS: '--require /nowhere.cjs' };
    expect(await runCommand(write('a.ts'), env)).toEqual({ code: 0, stdout: '' });
  });

  test('denies when nobody answers', async () => {
    const { command } = guard.address;
    const gone = command.replace(/:\d+\/hook/, ':9/hook');
    expect(await runCommand(write('a.ts'), {}, gone)).toMatchObject({ code: 2 });
    expect(await runCommand(write('a.ts'), {}, command.replace('http:', 'x:'))).toMatchObject({
      code: 2,
    });
  });

  test.each([
    ['no JSON', 'HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nsure'],
    ['half an answer', 'HTTP/1.1 200 OK\r\nContent-Length: 40\r\n\r\n{'],
    ['null', 'HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nnull'],
    ['another protocol', 'SSH-2.0-x\r\n'],
    ['nothing', ''],
  ])('denies when the answer is %s', async (_, answer) => {
    const server = createServer((socket) => {
      socket.on('error', () => {});
      socket.once('data', () => socket.end(answer));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as { port: number };
    const wrong = guard.address.command.replace(/:\d+\/hook/, `:${port}/hook`);
    expect(await runCommand(write('a.ts'), {}, wrong)).toMatchObject({ code: 2 });
    server.close();
  });
});

describe('where a write would end', () => {
  test('of what is not there, below its deepest folder', () => {
    symlinkSync(root, join(worktree, 'up'));
    expect(resolveReal(join(worktree, 'up', 'a', 'b'))).toBe(join(root, 'a', 'b'));
    const deep = join(worktree, ...Array.from({ length: 100 }, () => 'd'));
    expect(resolveReal(deep)).toBe(deep);
  });

  test('a link that leads to nothing is followed, for a write would make its target', () => {
    symlinkSync('../new.txt', join(worktree, 'dangling'));
    symlinkSync('dangling', join(worktree, 'again'));
    expect(resolveReal(join(worktree, 'again'))).toBe(join(root, 'new.txt'));
    symlinkSync(join(root, 'folder'), join(worktree, 'place'));
    expect(resolveReal(join(worktree, 'place', 'a'))).toBe(join(root, 'folder', 'a'));
  });

  test('links in a circle lead nowhere, and are denied', async () => {
    symlinkSync('b', join(worktree, 'a'));
    symlinkSync('a', join(worktree, 'b'));
    expect(decisionOf((await ask({ body: write('a') })).text)).toBe('deny');
  });
});
