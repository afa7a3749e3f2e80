import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createTempFolder } from '../../../../test/rig/project/temp-folder.ts';
import { waitForWord } from './wait-for-word.ts';

const AT = { time: '2026-01-01T00:00:00.000Z' };
const PASSED = { ...AT, type: 'preflight:passed', claude: '2', git: '2', gh: null, blockers: [] };
const FOUND = { ...AT, type: 'worktree:found', path: '/w', branch: 'story/x', base: 'm', ahead: 0 };
const END = {
  ...{ ...AT, type: 'worker:end', kind: 'error', reason: 'no', exitCode: 1 },
  ...{ cycles: 0, tokens: 0, costUsd: 0, elapsedMs: 1 },
};

function createFile() {
  const folder = createTempFolder();
  const file = join(folder.path, 'out.jsonl');
  return {
    file,
    say: (event: object) => appendFileSync(file, `${JSON.stringify(event)}\n`),
    [Symbol.dispose]: () => folder[Symbol.dispose](),
  };
}

const lives = async () => true;

test('a file that comes later and grows is followed until the worker is under way', async () => {
  using it = createFile();
  let looks = 0;
  const isThere = async () => {
    looks++;
    if (looks === 1) it.say(PASSED);
    if (looks === 2) it.say(FOUND);
    return true;
  };
  expect(await waitForWord(it.file, isThere)).toEqual({ state: 'started' });
  expect(looks).toBe(2);
});

test('a worker that wrote its end between the last look and its exit is not called gone', async () => {
  using it = createFile();
  const leaves = async () => {
    it.say(END);
    return false;
  };
  expect(await waitForWord(it.file, leaves)).toMatchObject({
    state: 'ended',
    end: { reason: 'no' },
  });
});

test.each([[[]], [[PASSED]]])(
  'a worker that is gone without an end is gone: %j',
  async (events) => {
    using it = createFile();
    for (const event of events) it.say(event);
    expect(await waitForWord(it.file, async () => false)).toEqual({ state: 'gone' });
  },
);

test('patience differs before and after preflight', async () => {
  using it = createFile();
  expect(await waitForWord(it.file, lives, { forWordMs: 0 })).toEqual({ state: 'starting' });
  it.say(PASSED);
  expect(await waitForWord(it.file, lives, { forWordMs: 0, forWorktreeMs: 0 })).toEqual({
    state: 'started',
  });
});

test('an end after it was under way is told with it; a half line is no event', async () => {
  using it = createFile();
  it.say(FOUND);
  it.say(END);
  appendFileSync(it.file, '{"type":"worker:e');
  expect(await waitForWord(it.file, lives)).toMatchObject({
    state: 'started',
    end: { exitCode: 1 },
  });
});
