import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createShop } from '../../rig/project/shop.ts';
import { openDashboard, readEvents } from '../../rig/screens/dashboard.ts';

/** Pages as a build leaves them, and a secret beside them. */
function writeClient(root: string): string {
  const client = join(root, 'client');
  mkdirSync(join(client, 'assets'), { recursive: true });
  writeFileSync(join(client, 'index.html'), '<!doctype html><title>SAGA</title>');
  writeFileSync(join(client, 'assets/app-1a2b.js'), 'export {};');
  writeFileSync(join(root, 'secret.txt'), 'secret');
  symlinkSync(join(root, 'secret.txt'), join(client, 'assets/link.txt'));
  return client;
}

test('pages, their hashed files and the addresses of the client', async () => {
  using plan = createShop();
  await using it = await openDashboard({ paths: plan.paths, clientFolder: writeClient(plan.root) });
  for (const path of ['/', '/index.html', '/stories/pay', '/epics/shop?view=list', '/?token=x']) {
    const page = await it.ask(path);
    expect(page, path).toMatchObject({ status: 200, text: expect.stringContaining('<title>SAGA') });
    expect(page.headers['cache-control']).toBe('no-cache');
  }
  const script = await it.ask('/assets/app-1a2b.js');
  expect(script.headers).toMatchObject({
    'content-type': 'text/javascript; charset=utf-8',
    'cache-control': 'public, max-age=31536000, immutable',
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
  });
  const policy = script.headers['content-security-policy'] ?? '';
  expect(policy).toContain("default-src 'none'; script-src 'self'");
  expect(policy).not.toContain('unsafe');
  expect(script.headers).toMatchObject({
    'content-security-policy':
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; " +
      "font-src 'self'; connect-src 'self'; manifest-src 'self'; base-uri 'none'; " +
      "form-action 'none'; frame-ancestors 'none'",
    'x-frame-options': 'DENY',
    'cross-origin-resource-policy': 'same-origin',
    'cross-origin-opener-policy': 'same-origin',
  });
  expect((await it.ask('/api/home')).headers['cache-control']).toBe('no-store');
  expect((await it.ask('/assets/gone.js')).status).toBe(404);
  expect((await it.ask('/api/nothing')).status).toBe(404);
});

test.each([
  '/../secret.txt',
  '/..%2fsecret.txt',
  '/..%2f..%2fetc/passwd',
  '/%2e%2e/secret.txt',
  '/assets/../../secret.txt',
  '/assets/..%2f..%2fsecret.txt',
  '/assets/..%5c..%5csecret.txt',
  '/assets/%252e%252e%252f%252e%252e%252fsecret.txt',
  '/assets/link.txt',
  '//secret.txt',
  '/etc/passwd',
  '/assets/app-1a2b.js%00.txt',
  '/api/stories/..%2f..%2fsecret',
  '/api/epics/..%2f..%2f..%2fpackage',
  '/api/sessions/..%2f..%2fconfig',
  '/api/sessions/..%2f..%2fconfig/log',
])('nothing outside is served: %s', async (path) => {
  using plan = createShop();
  await using it = await openDashboard({ paths: plan.paths, clientFolder: writeClient(plan.root) });
  const { text, status } = await it.ask(path);
  expect(text).not.toMatch(/^secret$|root:/);
  expect([404, 200]).toContain(status);
  if (status === 200) expect(text).toContain('<title>SAGA');
});

test('only its own names are answered, so no name of somebody else can be pointed at it', async () => {
  using plan = createShop();
  await using it = await openDashboard({ paths: plan.paths });
  const { port } = it.dashboard;
  const status = async (host: string) => (await it.ask('/api/home', { headers: { host } })).status;
  expect(await status(`127.0.0.1:${port}`)).toBe(200);
  expect(await status(`localhost:${port}`)).toBe(200);
  expect(await status(`[::1]:${port}`)).toBe(200);
  for (const host of [
    'evil.example',
    `evil.example:${port}`,
    '127.0.0.1.evil.example',
    '192.168.0.7',
  ]) {
    expect(await status(host), host).toBe(403);
  }
});

test('an action needs the token and comes from its own page', async () => {
  using plan = createShop();
  await using it = await openDashboard({ paths: plan.paths });
  const { port, token } = it.dashboard;
  const body = { blocker: 'Which sandbox?', answer: 'Stripe.' };
  const json = { 'content-type': 'application/json' };
  const post = async (headers: Record<string, string>) =>
    (await it.ask('/api/stories/pay/resolve', { method: 'POST', headers, body })).status;
  expect(await post({ ...json, 'x-saga-token': '' })).toBe(401);
  expect(await post({ ...json, 'x-saga-token': 'x'.repeat(token.length) })).toBe(401);
  expect(await post({ ...json, 'x-saga-token': `${token}x` })).toBe(401);
  const withToken = { ...json, 'x-saga-token': token };
  expect(await post({ ...withToken, origin: 'https://evil.example' })).toBe(403);
  expect(await post({ ...withToken, origin: `http://127.0.0.1:${port + 1}` })).toBe(403);
  expect(await post({ ...withToken, origin: 'null' })).toBe(403);
  expect(await post({ 'x-saga-token': token, 'content-type': 'text/plain' })).toBe(400);
  expect(await post({ ...withToken, 'content-length': '99999999' })).toBe(400);
  const endless = { method: 'POST', headers: { ...withToken, 'transfer-encoding': 'chunked' } };
  const long = { ...body, answer: 'x'.repeat(300_000) };
  expect((await it.ask('/api/stories/pay/resolve', { ...endless, body: long })).status).toBe(400);
  for (const method of ['PUT', 'DELETE', 'PATCH', 'OPTIONS']) {
    expect((await it.askBare('/api/stories/pay/run', { method })).status, method).toBe(401);
  }
  const journal = JSON.parse((await it.ask('/api/stories/pay')).text).journal;
  expect(journal).toHaveLength(1);
  expect(await post({ ...withToken, origin: `http://127.0.0.1:${port}` })).toBe(200);
  expect((await it.ask('/api/home')).headers['access-control-allow-origin']).toBeUndefined();
});

test('every address of the API needs the token; a page then reads with a cookie that cannot act', async () => {
  using plan = createShop();
  const clientFolder = writeClient(plan.root);
  await using it = await openDashboard({ paths: plan.paths, clientFolder });
  await using second = await openDashboard({ paths: plan.paths, clientFolder });
  const { port, token } = it.dashboard;
  for (const path of [
    '/api/home',
    '/api/find?query=x',
    '/api/stories',
    '/api/stories/pay',
    '/api/epics',
    '/api/epics/shop',
    '/api/epics/shop/history',
    '/api/sessions',
    '/api/sessions/saga-story-pay-1',
    '/api/sessions/saga-story-pay-1/log',
    '/api/problems',
    '/api/plan/new',
    '/api/plan/items/pay',
    '/api/plan/proposal',
    '/api/events',
    '/api/nothing',
    '/api',
    '//api/home',
    '/%61pi/home',
    `/api/home?token=${token}`,
  ]) {
    const { status, text } = await it.askBare(path);
    expect(text, path).not.toMatch(/"(counts|items|problems|templates|text|proposal)":/);
    if (path.startsWith('/api')) expect(status, path).toBe(401);
  }
  // The files of the pages hold nothing of the project.
  expect((await it.askBare('/')).status).toBe(200);
  expect((await it.askBare('/?token=wrong')).headers['set-cookie']).toBeUndefined();
  const set = String((await it.askBare(`/?token=${token}`)).headers['set-cookie']);
  expect(set).toMatch(/HttpOnly/);
  expect(set).toMatch(/SameSite=Strict/);
  // Browsers send a cookie to all ports of a host, so it is neither the token nor able to act.
  expect(set).not.toContain(token);
  const cookie = set.split(';')[0] ?? '';
  expect((await it.askBare('/api/home', { headers: { cookie } })).status).toBe(200);
  const acted = { method: 'POST', headers: { cookie, 'x-saga-token': cookie.split('=')[1] ?? '' } };
  expect((await it.askBare('/api/stories/pay/stop', acted)).status).toBe(401);
  const stream = await readEvents(port, 0, { cookie });
  await stream.until((got) => got.length > 0);
  stream.leave();
  // Two dashboards do not take each other's cookie away.
  expect(second.dashboard.port).not.toBe(port);
  const asked = `/?token=${second.dashboard.token}`;
  const other = String((await second.askBare(asked)).headers['set-cookie']).split('=')[0];
  expect(other).not.toBe(cookie.split('=')[0]);
});

test('names that the settings list are answered, with token and origin as ever', async () => {
  using plan = createShop();
  const names = ['saga.example.org'];
  await using it = await openDashboard({ paths: plan.paths, names });
  const ask = async (headers: Record<string, string>) =>
    (await it.ask('/api/home', { headers })).status;
  const host = 'SAGA.example.org';
  expect(await ask({ host })).toBe(200);
  expect(await ask({ host: 'other.example.org' })).toBe(403);
  expect(await ask({ host, origin: `https://${host}` })).toBe(200);
  expect(await ask({ host, origin: 'https://evil.example' })).toBe(403);
  expect((await it.askBare('/api/home', { headers: { host } })).status).toBe(401);
});

test('beyond loopback everything needs the token; a page then carries it as a cookie', async () => {
  using plan = createShop();
  const clientFolder = writeClient(plan.root);
  await using it = await openDashboard({ paths: plan.paths, host: '0.0.0.0', clientFolder });
  const { port, token } = it.dashboard;
  for (const path of ['/', '/api/home', '/api/events', '/assets/app-1a2b.js', '/?token=wrong']) {
    expect((await it.askBare(path)).status, path).toBe(401);
  }
  const opened = await it.askBare(`/?token=${token}`);
  expect(opened.status).toBe(200);
  const set = String(opened.headers['set-cookie']);
  expect(set).toMatch(/HttpOnly/);
  expect(set).toMatch(/SameSite=Strict/);
  const cookie = set.split(';')[0] ?? '';
  expect((await it.askBare('/api/home', { headers: { cookie } })).status).toBe(200);
  expect((await it.ask('/api/home')).status).toBe(200);
  const acted = { method: 'POST', headers: { cookie } };
  expect((await it.askBare('/api/stories/pay/run', acted)).status).toBe(401);
  const host = 'evil.example';
  expect((await it.askBare('/api/home', { headers: { cookie, host } })).status).toBe(403);
  const stream = await readEvents(port, 0, { cookie });
  await stream.until((got) => got.length > 0);
  stream.leave();
});
