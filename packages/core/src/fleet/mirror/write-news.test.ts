import { appendFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createTempProject } from '../../../../../test/rig/project/temp-project.ts';
import { fleetFolder } from '../../project/paths.ts';
import { loadSessionRecord, stateOfSession } from '../../records/session-records.ts';
import type { SessionNews } from '../engine.ts';
import { LineCounter } from './line-counter.ts';
import { loadMirrorState } from './mirror-state.ts';
import { writeNews } from './write-news.ts';

const session = 'saga-story-cart-1';
const counter = new LineCounter();
const news = (
  position: number,
  from: number,
  lines: string[],
  more: Partial<SessionNews> = {},
) => ({
  ...{ position, session, story: 'cart', machine: 'ant', from, lines },
  ...more,
});
const record: SessionNews['record'] & object = {
  ...{ version: 1, session, story: 'cart', host: 'ant.example', pid: 1, started: 1 },
  ...{ outputFile: '/their/file', tmux: true, tmuxSocket: '/their/socket' },
  ...{ startedAt: '2026-11-15T14:00:00Z', model: 'opus', cycle: 1, tokens: 0, costUsd: 0 },
};

test('lines are written once, in order, also if they are told twice', async () => {
  await using it = await createTempProject();
  const read = () => readFileSync(join(fleetFolder(it.paths), `${session}.jsonl`), 'utf8');
  let state = loadMirrorState(it.paths);
  state = writeNews(it.paths, news(1, 0, ['a', 'b']), state, counter);
  state = writeNews(it.paths, news(1, 0, ['a', 'b']), state, counter);
  state = writeNews(it.paths, news(2, 1, ['b', 'c']), state, counter);
  expect(read()).toBe('a\nb\nc\n');
  expect(state.position).toBe(2);
});

test('a session whose beginning the engine has forgotten is written from there on', async () => {
  await using it = await createTempProject();
  let state = loadMirrorState(it.paths);
  state = writeNews(it.paths, news(7, 40, ['x']), state, counter);
  state = writeNews(it.paths, news(8, 41, ['y']), loadMirrorState(it.paths), counter);
  expect(readFileSync(join(fleetFolder(it.paths), `${session}.jsonl`), 'utf8')).toBe('x\ny\n');
});

test('a record names the machine, and its process number means nothing here', async () => {
  await using it = await createTempProject();
  writeNews(it.paths, news(1, 0, ['a'], { record }), loadMirrorState(it.paths), counter);
  const written = loadSessionRecord(it.paths, session);
  expect(written).toMatchObject({ machine: 'ant', tmux: false });
  expect(written?.outputFile).toBe(join(fleetFolder(it.paths), `${session}.jsonl`));
  expect(written && stateOfSession(written)).toBe('running');
  expect(written && stateOfSession({ ...written, isLost: true })).toBe('died');
});

test('a name that is no session writes nothing', async () => {
  await using it = await createTempProject();
  const state = writeNews(
    it.paths,
    news(3, 0, ['a'], { session: '../../evil' }),
    loadMirrorState(it.paths),
    new LineCounter(),
  );
  expect(state.position).toBe(3);
});

test('a line that was written in part is written whole', async () => {
  await using it = await createTempProject();
  const file = join(fleetFolder(it.paths), `${session}.jsonl`);
  const state = writeNews(it.paths, news(1, 0, ['a']), loadMirrorState(it.paths), counter);
  // As after a full disk.
  appendFileSync(file, 'b, but not to the e');
  writeNews(it.paths, news(2, 1, ['b, but not to the end', 'c']), state, counter);
  expect(readFileSync(file, 'utf8')).toBe('a\nb, but not to the end\nc\n');
});
