import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { createProject, type Project } from '../../../../../test/rig/project/project.ts';
import { openGit } from '../git.ts';
import { pinRemote } from '../pins.ts';
import { findEndpoints, pinLfs } from './lfs-endpoint.ts';
import { pushBranch } from './push.ts';

const PASSWORD = Buffer.from('ada:CANARY').toString('base64');

/** A server for large files that asks for a password, as all do. */
async function startStore() {
  const seen: string[] = [];
  const files = new Map<string, string>();
  const server = createServer(async (request, response) => {
    const { method, url = '', headers } = request;
    const body = await text(request);
    seen.push(`${method} ${url} ${headers.authorization ?? '-'}`);
    const answer = (status: number, value: object, more = {}) =>
      response
        .writeHead(status, { 'content-type': 'application/vnd.git-lfs+json', ...more })
        .end(JSON.stringify(value));
    if (method === 'PUT') {
      files.set(url.slice(1), body);
      return response.end();
    }
    if (headers.authorization !== `Basic ${PASSWORD}`) {
      return answer(401, { message: 'who?' }, { 'www-authenticate': 'Basic realm="x"' });
    }
    if (url.endsWith('/locks/verify')) return answer(200, { ours: [], theirs: [] });
    const { objects } = JSON.parse(body) as { objects: { oid: string; size: number }[] };
    const { port } = server.address() as { port: number };
    const href = (oid: string) => `http://127.0.0.1:${port}/${oid}`;
    return answer(200, {
      objects: objects.map((it) => ({ ...it, actions: { upload: { href: href(it.oid) } } })),
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  const close = () => {
    server.close();
    server.closeAllConnections();
  };
  return { seen, files, url: `http://127.0.0.1:${port}`, [Symbol.dispose]: close };
}

const configOf = (url: string) => `[lfs]\n\turl = ${url}/x\n`;

/** A project with large files and a helper that gives the person's password to every server, as is usual in a CI. */
function createLfsProject(lfsConfig?: string): Project {
  const it = createProject();
  it.git('lfs', 'install');
  it.git('config', 'credential.helper', '!f() { echo username=ada; echo password=CANARY; }; f');
  it.write('.gitattributes', '*.bin filter=lfs diff=lfs merge=lfs -text\n');
  if (lfsConfig !== undefined) it.write('.lfsconfig', lfsConfig);
  it.git('add', '-A');
  it.git('commit', '-qm', 'Large files');
  it.git('push', '-q', '--no-verify', 'origin', 'main');
  return it;
}

/** What a run does, and then the push that SAGA makes of its branch. */
async function pushWork(it: Project, act: () => void) {
  const plain = openGit(it.root, it.env);
  const commit = it.git('rev-parse', 'HEAD').trim();
  const base = { commit, remote: 'origin', pinned: await pinRemote(plain, 'origin') };
  const git = openGit(it.root, await pinLfs(plain, base, it.env));
  it.git('switch', '-qc', 'story/cart');
  it.write('a.bin', 'LARGE\n');
  act();
  it.git('add', '-A');
  it.git('commit', '-qm', 'work');
  return pushBranch(git, { remote: 'origin', branch: 'story/cart', withHook: true });
}

const NAME = createHash('sha256').update('LARGE\n').digest('hex');

test('neither a file nor the password goes where a run says; the server of the base gets the files', async () => {
  using good = await startStore();
  using evil = await startStore();
  using it = createLfsProject(configOf(good.url));
  const pushed = await pushWork(it, () => it.write('.lfsconfig', configOf(evil.url)));
  expect(evil.seen).toEqual([]);
  expect(pushed.kind, JSON.stringify(pushed)).toBe('done');
  expect(good.files.get(NAME)).toBe('LARGE\n');
  expect(good.seen).toContain(`POST /x/objects/batch Basic ${PASSWORD}`);
});

test('where the base names no server, the remote gets the files, also if a run hides its own .lfsconfig from git', async () => {
  using evil = await startStore();
  using it = createLfsProject();
  it.git('remote', 'set-url', 'origin', `file://${it.origin}`);
  const pushed = await pushWork(it, () => {
    it.write('.gitignore', '.lfsconfig\n');
    it.write('.lfsconfig', `${configOf(evil.url)}[remote "origin"]\n\tlfsurl = ${evil.url}/y\n`);
  });
  expect(evil.seen).toEqual([]);
  expect(pushed.kind, JSON.stringify(pushed)).toBe('done');
  const stored = ['lfs/objects', NAME.slice(0, 2), NAME.slice(2, 4), NAME].join('/');
  expect(it.gitIn(it.origin, 'hash-object', join(it.origin, stored))).not.toBe('');
});

test.each<[string, object, object, { down: string; up: string }]>([
  ['https', {}, {}, { down: 'https://h/a.git/info/lfs', up: 'https://p/a.git/info/lfs' }],
  ['the base', {}, { 'lfs.url': 'b' }, { down: 'b', up: 'b' }],
  [
    'the base, for uploads',
    {},
    { 'lfs.pushurl': 'b' },
    { down: 'https://h/a.git/info/lfs', up: 'b' },
  ],
  ['the person', { 'lfs.url': 'a' }, { 'lfs.url': 'b' }, { down: 'a', up: 'a' }],
  ['the remote', { 'remote.origin.lfsurl': 'r' }, {}, { down: 'r', up: 'r' }],
  ['another remote', { 'remote.x.lfsurl': 'r' }, { 'lfs.url': 'b' }, { down: 'b', up: 'b' }],
])(
  'the endpoint is the one that Git LFS would take without the branch: %s',
  (_, own, base, found) => {
    const urls = { down: 'https://h/a', up: 'https://p/a.git/' };
    const toMap = (it: object) => new Map(Object.entries(it) as [string, string][]);
    expect(findEndpoints(toMap(own), toMap(base), 'origin', urls)).toEqual(found);
  },
);

test.each(['git@h:a/b.git', 'ssh://git@h:22/a/b.git', 'file:///srv/b.git', '/srv/b.git'])(
  'the address of a remote is given to Git LFS as it is: %s',
  (url) => {
    const urls = { down: url, up: url };
    expect(findEndpoints(new Map(), new Map(), 'origin', urls)).toEqual(urls);
  },
);
