import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createProject } from '../../../../test/rig/project/project.ts';
import { createTempFolder } from '../../../../test/rig/project/temp-folder.ts';
import { saveSessionRecord } from '../records/session-records.ts';
import { findSession } from './find-session.ts';
import { followLines } from './follow-log.ts';
import { keepLastWords } from './last-words.ts';
import { waitForMessage } from './wait-for-message.ts';

async function collect(lines: AsyncGenerator<string[]>): Promise<string[]> {
  const all: string[] = [];
  for await (const some of lines) all.push(...some);
  return all;
}

test('lines are told when they are whole, from an offset on, and the last ones too', async () => {
  using folder = createTempFolder();
  const file = join(folder.path, 'log');
  writeFileSync(file, 'old\nfirst\nsec');
  let asked = 0;
  const isOver = () => {
    asked++;
    if (asked === 2) appendFileSync(file, 'ond\n');
    // Written between the last look and the end.
    if (asked === 3) appendFileSync(file, 'third\nhalf');
    return asked === 3;
  };
  expect(await collect(followLines(file, 4, isOver))).toEqual(['first', 'second', 'third']);
});

test('a line that is longer than what is read at once comes in one piece', async () => {
  using folder = createTempFolder();
  const file = join(folder.path, 'log');
  const long = 'ä'.repeat(400_000);
  writeFileSync(file, `${long}\nnext\n`);
  const lines = await collect(followLines(file, 0, () => true));
  expect(lines.map((line) => line.length)).toEqual([400_000, 4]);
  expect(lines[0] === long).toBe(true);
});

const RECORD = {
  ...{ version: 1 as const, story: 'x', host: 'h', pid: 1, started: 1, tmux: true },
  ...{ startedAt: '2026-01-01T00:00:00.000Z', model: 'opus', cycle: 1, tokens: 0, costUsd: 0 },
};

test('what became of a message is told; a session that ends without a word only had it sent', async () => {
  using it = createProject();
  const outputFile = join(it.folder, 'out.jsonl');
  const session = 'saga-story-x-1';
  const wait = (id: string) => waitForMessage(it.paths, session, outputFile, id);
  const say = (type: string, id: string, text = 'Go on.') =>
    `${JSON.stringify({ time: RECORD.startedAt, type, id, from: 'anna', text })}\n`;
  const early = say('message:sent', 'b', 'not a "message:heard"') + say('message:heard', 'z', 'b');
  writeFileSync(outputFile, early + say('message:heard', 'a') + say('message:kept', 'b'));
  saveSessionRecord(it.paths, { ...RECORD, session, outputFile, endedAt: RECORD.startedAt });
  expect([await wait('a'), await wait('b'), await wait('c')]).toEqual(['heard', 'kept', 'sent']);
});

test('a session is found by its name or its story, newest first; one that never ran says so', () => {
  using it = createProject();
  it.story('y');
  const outputFile = '/nowhere';
  for (const at of [1, 2]) {
    saveSessionRecord(it.paths, { ...RECORD, session: `saga-story-x-${at}`, outputFile });
  }
  expect(findSession(it.paths, 'x').session).toBe('saga-story-x-2');
  expect(findSession(it.paths, 'saga-story-x-1').session).toBe('saga-story-x-1');
  expect(() => findSession(it.paths, 'y')).toThrow('Story y was never run here.');
  expect(() => findSession(it.paths, 'z')).toThrow(expect.objectContaining({ code: 'not-found' }));
});

test('of a worker that dies at once the last lines are kept, without what steers a terminal', () => {
  using folder = createTempFolder();
  const words = keepLastWords(join(folder.path, 'saga-story-x-1.stderr'));
  words.wrap(['true']);
  expect(words.read()).toBe('');
  const lines = Array.from({ length: 12 }, (_, i) => `\u001b[31mline ${i}\u001b[0m\n\n`);
  writeFileSync(join(folder.path, 'saga-story-x-1.stderr'), lines.join(''));
  expect(words.read().split('\n')).toEqual(Array.from({ length: 8 }, (_, i) => `line ${i + 4}`));
  words.remove();
  expect(() => words.read()).toThrow('ENOENT');
});
