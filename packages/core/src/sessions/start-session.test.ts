import { mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createProject, type Project } from '../../../../test/rig/project/project.ts';
import { createTmuxServer, type TmuxServer } from '../../../../test/rig/worker/tmux-server.ts';
import { startSession } from './start-session.ts';

const AT = { time: '2026-01-01T00:00:00.000Z' };
const WORKTREE = { path: '/w', branch: 'story/x', base: 'main', ahead: 0 };
const PASSED = { ...AT, type: 'preflight:passed', claude: '2', git: '2', gh: null, blockers: [] };
const CREATED = { ...AT, type: 'worktree:created', ...WORKTREE };
const ENDED = {
  ...{ ...AT, type: 'worker:end', kind: 'needs-you', reason: 'a question is open', exitCode: 3 },
  ...{ cycles: 0, tokens: 0, costUsd: 0, elapsedMs: 1 },
};

/** A worker of a few lines: `$2` is its output file. */
function start(
  it: Project,
  tmux: TmuxServer,
  script: string,
  patience = {},
  PATH = process.env.PATH,
) {
  const env = {
    PATH,
    ...tmux.environment,
    SAGA_SESSION_DIR: join(it.root, 'sessions'),
  };
  return startSession({
    paths: it.paths,
    storyId: 'x',
    command: ['sh', '-c', script, 'worker'],
    env,
    userId: process.getuid?.(),
    timestamp: 1_000,
    tmuxServer: 'saga',
    patience,
  });
}

const say = (...events: object[]) =>
  events.map((it) => `echo '${JSON.stringify(it)}' >> "$2"\n`).join('');
const live = 'exec tail -f /dev/null';
const left = (it: Project) => readdirSync(join(it.root, 'sessions')).toSorted();

test('a worker that is under way is started', async () => {
  using it = createProject();
  using tmux = createTmuxServer();
  expect(await start(it, tmux, say(PASSED, CREATED) + live)).toMatchObject({ state: 'started' });
  expect(tmux.sessions()).toEqual(['saga-story-x-1000']);
  expect(left(it)).toEqual(['saga-story-x-1000.jsonl']);
});

test('one that has all it needs and waits for its worktree is started too', async () => {
  using it = createProject();
  using tmux = createTmuxServer();
  const started = await start(it, tmux, say(PASSED) + live, { forWorktreeMs: 0 });
  expect(started).toMatchObject({ state: 'started' });
});

test('one that lives without a word is still starting, and keeps its variables', async () => {
  using it = createProject();
  using tmux = createTmuxServer();
  expect(await start(it, tmux, live, { forWordMs: 0 })).toMatchObject({ state: 'starting' });
  expect(tmux.sessions()).toEqual(['saga-story-x-1000']);
  expect(left(it)).toEqual(['saga-story-x-1000.env', 'saga-story-x-1000.stderr']);
});

test('one that ends before it is under way has its last word told', async () => {
  using it = createProject();
  using tmux = createTmuxServer();
  expect(await start(it, tmux, say(PASSED, ENDED))).toMatchObject({
    state: 'ended',
    end: { kind: 'needs-you', reason: 'a question is open' },
  });
});

test('one that dies with a complaint: its own words are told', async () => {
  using it = createProject();
  using tmux = createTmuxServer();
  const script = 'echo "✗ The plan is broken." >&2; echo "  Mend it." >&2; exit 1';
  await expect(start(it, tmux, script)).rejects.toMatchObject({
    code: 'session-failed',
    message:
      'The worker of x ended before it could begin. It said:\n    ✗ The plan is broken.\n      Mend it.',
    hint: expect.stringContaining('saga run x --foreground'),
  });
  expect(left(it)).toEqual([]);
});

test('one that is killed without a word is not called started', async () => {
  using it = createProject();
  using tmux = createTmuxServer();
  await expect(start(it, tmux, `${say(PASSED)}kill -9 $$`)).rejects.toMatchObject({
    code: 'session-failed',
    message: 'Session saga-story-x-1000 was ended before its worker was under way.',
  });
});

test('if tmux itself fails, the file with the variables does not stay', async () => {
  using it = createProject();
  using tmux = createTmuxServer();
  const bin = join(it.folder, 'bin');
  mkdirSync(bin);
  writeFileSync(join(bin, 'tmux'), '#!/bin/sh\necho no server >&2\nexit 1\n', { mode: 0o755 });
  const started = start(it, tmux, live, {}, `${bin}:${process.env.PATH}`);
  await expect(started).rejects.toThrow('no server');
  expect(left(it)).toEqual([]);
});

test('variables that a killed saga run left are removed by the next one', async () => {
  using it = createProject();
  using tmux = createTmuxServer();
  const file = join(it.root, 'sessions/saga-story-y-1.env');
  mkdirSync(join(it.root, 'sessions'), { mode: 0o700 });
  writeFileSync(file, '{"KEY":"secret"}');
  const hourAgo = Date.now() / 1000 - 3600;
  utimesSync(file, hourAgo, hourAgo);
  await start(it, tmux, say(PASSED, CREATED) + live);
  expect(left(it)).toEqual(['saga-story-x-1000.jsonl']);
});

test('a name that another project took in the same millisecond is left to it', async () => {
  using it = createProject();
  using tmux = createTmuxServer();
  await start(it, tmux, say(PASSED, CREATED) + live);
  const second = await start(it, tmux, say(PASSED, CREATED) + live);
  expect(second.session).toBe('saga-story-x-1001');
  expect(tmux.sessions().toSorted()).toEqual(['saga-story-x-1000', 'saga-story-x-1001']);
});

test('a word that ends with ";" reaches the worker as it is', async () => {
  using it = createProject();
  using tmux = createTmuxServer();
  const file = join(it.root, 'heard');
  writeFileSync(file, '');
  await start(it, tmux, `printf %s 'heard;' > ${file};${say(PASSED, CREATED)}${live};`);
  expect(readFileSync(file, 'utf8')).toBe('heard;');
});
