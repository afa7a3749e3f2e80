import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { formatIdentity } from '@saga-ai/core/processes/identity';
import { nameProject } from '@saga-ai/core/processes/run-mark';
import type { CleanJson, RecoverJson } from '@saga-ai/types/screens/json/recovery';
import { expect, test } from 'vitest';
import { runProgram, SAGA } from '../../rig/programs/run-program.ts';
import { completeStory } from '../../rig/project/done.ts';
import { createProject, type Project } from '../../rig/project/project.ts';
import { commitAll } from '../../rig/project/repository.ts';
import { expectJson } from '../../rig/screens/expect-json.ts';
import { createTmuxServer } from '../../rig/worker/tmux-server.ts';

const host = hostname().replace(/[^a-zA-Z0-9.-]/g, '-');
const deadPid = () => spawnSync(process.execPath, ['-e', '']).pid;

function createPlanned(...ids: string[]) {
  const it = createProject();
  for (const id of ids) it.story(id, {}, { one: {}, two: {} });
  commitAll(it.gitIn, it.root, 'Plan');
  it.git('push', '-q', 'origin', 'main');
  const env = { ...it.env, SAGA_SESSION_DIR: join(it.folder, 'sessions') };
  const saga = (args: string[], more: Record<string, string> = {}) =>
    runProgram(SAGA, args, { cwd: it.root, env: { ...env, ...more } });
  const json = async <T>(args: string[], more: Record<string, string> = {}): Promise<T> => {
    const { stdout, stderr } = await saga([...args, '--json'], more);
    expect(stderr).toBe('');
    await expectJson(
      args
        .filter((word) => /^[a-z]+$/.test(word))
        .slice(0, args[0] === 'trash' ? 2 : 1)
        .join(' '),
      stdout,
    );
    return JSON.parse(stdout);
  };
  return { ...it, saga, json };
}

/** Begins a story as a worker does: a branch, a worktree, a commit. */
function begin(it: Project, id: string): string {
  const worktree = join(it.worktrees, id);
  it.git('worktree', 'add', '-q', '-b', `story/${id}`, worktree);
  writeFileSync(join(worktree, `${id}.txt`), 'work\n');
  commitAll(it.gitIn, worktree, `Work on ${id}`);
  return worktree;
}

const record = (it: Project, session: string, story: string, fields: object = {}) =>
  it.write(`.git/saga/runs/sessions/${session}.json`, {
    ...{ version: 1, session, story, host, pid: deadPid(), started: 1, tmux: true },
    ...{
      outputFile: join(it.folder, `sessions/${session}.jsonl`),
      startedAt: '2026-01-01T00:00:00Z',
    },
    ...{ model: 'opus', cycle: 1, tokens: 1, costUsd: 1 },
    ...fields,
  });

function stopAtEnd(child: ChildProcess): Disposable {
  return { [Symbol.dispose]: () => void child.kill('SIGKILL') };
}

test('every orphan is named, explained and has a remedy; looking changes nothing', async () => {
  using it = createPlanned('cart', 'far', 'gone');
  using tmux = createTmuxServer();
  begin(it, 'spike');
  rmSync(begin(it, 'gone'), { recursive: true });
  it.git('branch', 'story/lost');
  it.git('branch', 'epic/lost');
  it.git('push', '-q', 'origin', 'main:refs/heads/story/far');
  it.git('fetch', '-q');
  it.write(`.git/saga/runs/locks/project/${host}~${deadPid()}~1~a`, '');
  it.write('.git/saga/runs/locks/worker-cart/vm-2~12~1~a', '');
  record(it, 'saga-story-cart-1', 'cart');
  record(it, 'saga-story-lost-2', 'lost');
  mkdirSync(join(it.home, '.claude/tasks/saga__lost__2'), { recursive: true });
  mkdirSync(join(it.home, '.claude/tasks/saga__other-project__2'));
  tmux.runInSaga('new-session', '-d', '-s', 'saga-story-cart-1', 'sleep 600');
  tmux.runInSaga('new-session', '-d', '-s', 'saga-story-foreign-1', 'sleep 600');
  const dead = { host, pid: deadPid(), started: 1 };
  const mark = formatIdentity(dead, `${nameProject(it.paths.repository)}+saga-story-cart-1`);
  const child = spawn('sleep', ['600'], { env: { SAGA_WORKER_ID: mark, PATH: it.env.PATH } });
  using _ = stopAtEnd(child);
  const refs = it.git('for-each-ref');
  const { orphans } = await it.json<RecoverJson>(['recover'], tmux.environment);
  expect(orphans.map(({ kind, name }) => `${kind} ${name}`).toSorted()).toEqual([
    'branch-only-on-remote origin/story/far',
    'branch-without-story epic/lost',
    'branch-without-story story/lost',
    'list-without-story saga__lost__2',
    'lock-of-another-machine .git/saga/runs/locks/worker-cart',
    'lock-of-the-dead .git/saga/runs/locks/project',
    'process-without-worker cart',
    'session-without-worker saga-story-cart-1',
    'worktree-gone ../project.stories/gone',
    'worktree-without-story ../project.stories/spike',
  ]);
  expect(it.git('for-each-ref')).toBe(refs);
  const { stdout } = await it.saga(['recover'], { ...tmux.environment, COLUMNS: '80' });
  for (const { name } of orphans) expect(stdout).toContain(name);
  const doctor = await it.saga(['doctor', '--json'], tmux.environment);
  const messages = JSON.parse(doctor.stdout).findings.map((it: { message: string }) => it.message);
  for (const { name } of orphans.filter((orphan) => orphan.kind !== 'lock-of-the-dead')) {
    expect(messages.join('\n')).toContain(name);
  }

  // Each remedy is a command that works.
  expect((await it.saga(['recover', '--discard', 'spike', '--yes'])).stderr).toBe('');
  expect((await it.saga(['recover', '--discard', 'lost', '--yes'])).stderr).toBe('');
  expect((await it.saga(['stop', '--forget', 'cart'])).code).toBe(0);
  await it.saga(['doctor', '--fix'], tmux.environment);
  const kill = orphans.find(({ kind }) => kind === 'session-without-worker')?.remedy ?? '';
  spawnSync('sh', ['-c', kill], { env: { ...it.env, ...tmux.environment } });
  const left = await it.json<RecoverJson>(['recover'], tmux.environment);
  expect(left.orphans.map(({ kind }) => kind).toSorted()).toEqual([
    'branch-only-on-remote',
    'branch-without-story',
    'list-without-story',
  ]);
  expect(tmux.sessions()).toEqual(['saga-story-foreign-1']);
});

test('reset puts the work into the trash and begins anew; empty removes it for good', async () => {
  using it = createPlanned('cart');
  const worktree = begin(it, 'cart');
  const plan = '.saga/stories/cart/one.json';
  it.write(plan, { ...JSON.parse(it.read(plan)), status: 'completed', attempts: 2 });
  expect((await it.saga(['reset', 'cart'])).stderr).toContain('add --yes');
  expect(await it.json(['reset', 'cart', '--yes'])).toMatchObject({
    tasks: ['one'],
    branch: 'story/cart',
  });
  expect(JSON.parse(it.read(plan))).toMatchObject({ status: 'pending' });
  expect(JSON.parse(it.read(plan))).not.toHaveProperty('attempts');
  expect(existsSync(worktree)).toBe(false);
  expect((await it.saga(['status'])).stdout).toContain('ready');
  expect(await it.json(['trash', 'list'])).toMatchObject({
    entries: [{ why: 'reset', commits: 1 }],
  });
  expect(await it.json(['trash', 'show', 'cart'])).toMatchObject({ entry: { story: 'cart' } });
  expect(await it.json(['trash', 'restore', 'cart'])).toMatchObject({ folder: worktree });
  expect(JSON.parse(it.read(plan))).toMatchObject({ status: 'completed', attempts: 2 });
  expect(await it.json(['trash', 'empty', '--older-than', '30d', '--yes'])).toMatchObject({
    entries: [],
  });
  expect(await it.json(['trash', 'empty', '--older-than', '0d'])).toMatchObject({ done: false });
  expect(it.git('for-each-ref', 'refs/saga/trash')).not.toBe('');
  expect((await it.saga(['trash', 'empty', '--older-than', 'soon'])).stderr).toContain('30d');
  expect(await it.json(['trash', 'empty', '--older-than', '0d', '--yes'])).toMatchObject({
    done: true,
  });
  expect(it.git('for-each-ref', 'refs/saga/trash')).toBe('');
});

test('delete takes a story out of its epic, and restore brings it back into it', async () => {
  using it = createPlanned('a', 'b', 'c');
  it.epic('shop', { a: [], b: ['a'], c: ['b'] });
  for (const id of ['a', 'b', 'c']) {
    const file = `.saga/stories/${id}/story.json`;
    it.write(file, { ...JSON.parse(it.read(file)), epic: 'shop' });
  }
  const children = () =>
    JSON.parse(it.read('.saga/epics/shop.json')).children.map(
      (child: { id: string; blockedBy: string[] }) => `${child.id}<${child.blockedBy}`,
    );
  expect((await it.saga(['delete', 'b', '--yes'])).stderr).toContain('saga delete b --rewire');
  expect((await it.saga(['delete', 'shop', '--yes'])).stderr).toContain('still has a, b, c');
  const text = it.read('.saga/stories/b/one.json');
  expect(await it.json(['delete', 'b', '--rewire', '--yes'])).toMatchObject({ rewired: ['c'] });
  expect(children()).toEqual(['a<', 'c<a']);
  expect((await it.saga(['check'])).code).toBe(0);
  expect(await it.json(['trash', 'restore', 'b'])).toMatchObject({ plan: ['.saga/stories/b'] });
  expect(children()).toEqual(['a<', 'c<a,b', 'b<a']);
  expect(it.read('.saga/stories/b/one.json')).toBe(text);
  expect((await it.saga(['check'])).code).toBe(0);

  expect(await it.json(['rename', 'b', 'basket'])).toMatchObject({ from: 'b', to: 'basket' });
  expect(await it.json(['rename', 'shop', 'store'])).toMatchObject({ to: 'store' });
  expect((await it.saga(['check'])).code).toBe(0);
  expect((await it.saga(['rename', 'basket', 'a'])).stderr).toContain('already in use');
  // As a kill in the middle leaves it: the folder has the new name, the file the old id.
  spawnSync('mv', ['.saga/stories/c', '.saga/stories/crate'], { cwd: it.root });
  await it.json(['rename', 'c', 'crate']);
  expect((await it.saga(['check'])).code).toBe(0);
  begin(it, 'a');
  expect((await it.saga(['rename', 'a', 'z'])).stderr).toContain('a has begun');
});

test('clean removes what is done and old, and nothing with work in it', async () => {
  using it = createPlanned('done', 'dirty', 'ahead', 'open');
  const trees = Object.fromEntries(
    ['done', 'dirty', 'ahead', 'open'].map((id) => [id, begin(it, id)]),
  );
  for (const id of ['done', 'dirty', 'ahead']) {
    const inside = {
      root: trees[id] ?? '',
      read: (path: string) => it.read(`../project.stories/${id}/${path}`),
      write: (path: string, content: unknown) =>
        it.write(`../project.stories/${id}/${path}`, content),
    };
    completeStory(inside, id);
    it.git('merge', '-q', '--no-edit', `story/${id}`);
  }
  it.git('push', '-q', 'origin', 'main');
  writeFileSync(join(trees.dirty ?? '', 'new.txt'), 'x\n');
  writeFileSync(join(trees.ahead ?? '', 'more.txt'), 'x\n');
  commitAll(it.gitIn, trees.ahead ?? '', 'More');
  const ended = {
    endedAt: '2026-01-01T01:00:00Z',
    outcome: 'done',
    cause: { kind: 'done' },
    reason: '',
  };
  const sessions = join(it.folder, 'sessions');
  mkdirSync(sessions, { mode: 0o700 });
  for (const [session, story] of [
    ['saga-story-done-1767225600000', 'done'],
    ['saga-story-open-1767225600000', 'open'],
    ['saga-story-done-4102444800000', 'done'],
  ] as const) {
    const isNew = session.endsWith('4102444800000');
    record(it, session, story, {
      ...ended,
      ...(isNew ? { endedAt: new Date().toISOString() } : {}),
    });
    writeFileSync(join(sessions, `${session}.jsonl`), '{}\n');
    mkdirSync(
      join(
        it.home,
        '.claude/tasks',
        session.replace('saga-story-', 'saga__').replace(/-(\d+)$/, '__$1'),
      ),
      { recursive: true },
    );
    mkdirSync(join(it.paths.runs, 'put-back', session, 'run'), { recursive: true });
  }
  // Copies of what other machines of a fleet wrote.
  const copies = join(it.paths.runs, 'fleet');
  mkdirSync(copies);
  for (const name of ['done-1767225600002', 'open-1767225600002', 'done-1767225600003']) {
    writeFileSync(join(copies, `saga-story-${name}.jsonl`), '{}\n');
  }
  writeFileSync(join(copies, 'state.json'), '{}\n');
  for (const story of ['done', 'open']) {
    const session = `saga-story-${story}-1767225600002`;
    const outputFile = join(copies, `${session}.jsonl`);
    record(it, session, story, { ...ended, machine: 'ant', outputFile });
  }
  // A record may say anything of where its log is.
  const precious = it.write('../precious', 'x\n');
  record(it, 'saga-story-done-1767225600001', 'done', { ...ended, outputFile: precious });
  const shown = await it.json<CleanJson>(['clean']);
  expect(shown.done).toBe(false);
  expect(
    shown.items.map(({ kind, name }) => `${kind} ${name.split('/').at(-1)}`).toSorted(),
  ).toEqual([
    'list saga__done__1767225600000',
    'log saga-story-done-1767225600000.jsonl',
    'log saga-story-done-1767225600002.jsonl',
    'log saga-story-done-1767225600003.jsonl',
    'put-back saga-story-done-1767225600000',
    'put-back saga-story-open-1767225600000',
    'session saga-story-done-1767225600000.json',
    'session saga-story-done-1767225600001.json',
    'session saga-story-done-1767225600002.json',
    'story done',
  ]);
  expect(shown.kept.map(({ why }) => why)).toEqual([
    '1 commit that neither base nor remote has',
    '1 uncommitted file',
  ]);
  expect(existsSync(trees.done ?? '')).toBe(true);
  expect((await it.saga(['clean', '--yes'])).code).toBe(0);
  expect(readdirSync(it.worktrees).toSorted()).toEqual(['ahead', 'dirty', 'open']);
  expect(it.git('branch', '--list', 'story/*').match(/story\/\w+/g)).toEqual([
    'story/ahead',
    'story/dirty',
    'story/open',
  ]);
  expect(existsSync(precious)).toBe(true);
  expect(readdirSync(copies).toSorted()).toEqual([
    'saga-story-open-1767225600002.jsonl',
    'state.json',
  ]);
  expect(readdirSync(sessions).toSorted()).toEqual([
    'saga-story-done-4102444800000.jsonl',
    'saga-story-open-1767225600000.jsonl',
  ]);
  expect((await it.json<CleanJson>(['clean'])).items).toEqual([]);
  expect(await it.json(['trash', 'list'])).toMatchObject({
    entries: [{ story: 'done', why: 'clean' }],
  });
});

test('a run may look, but not resume, discard, restore or remove', async () => {
  using it = createPlanned('cart');
  const run = { SAGA_RUN_ID: randomUUID(), SAGA_STORY_ID: 'cart', SAGA_PROJECT_DIR: it.root };
  for (const words of [
    'recover --resume cart',
    'recover --resume-all --yes',
    'recover --discard cart --yes',
    'trash restore cart',
    'trash empty --older-than 0d --yes',
    'clean --yes',
    'reset cart --yes',
    'rename cart other',
    'delete cart --yes',
  ]) {
    const { code, stderr } = await it.saga(words.split(' '), run);
    expect(stderr, words).toContain('[in-run]');
    expect(code).toBe(1);
  }
  for (const words of ['recover', 'trash list']) {
    expect((await it.saga(words.split(' '), run)).code, words).toBe(0);
  }
});
