import { expect, test } from 'vitest';
import { readLogLine } from './read-log-line.ts';

const time = '2026-01-01T00:00:00Z';
const line = (type: string, fields: object) => JSON.stringify({ time, type, ...fields });
const message = (type: string, content: unknown, more: object = {}) => ({
  type,
  message: { content },
  ...more,
});

/** As a worker wrote them before its events had fields of their own. */
test('the lines of an old output file are told in our words', () => {
  const use = { type: 'tool_use', id: 'a', name: 'Bash', input: { command: 'npm test' } };
  const back = { type: 'tool_result', tool_use_id: 'a', is_error: true, content: 'Exit code 1' };
  const old = [
    line('run:system', {
      claude: { type: 'system', subtype: 'init', model: 'opus', tools: ['x'] },
    }),
    line('run:tool', {
      tool: 'Bash npm test',
      tokens: 7,
      claude: message('assistant', [{ type: 'text', text: 'I try it.' }, use]),
    }),
    line('run:result', { claude: message('user', [back]) }),
    line('run:retry', {
      claude: {
        type: 'system',
        subtype: 'api_retry',
        error: 'overloaded',
        attempt: 1,
        max_retries: 4,
      },
    }),
    line('worker:end', {
      ...{ kind: 'limit', reason: 'the time is up', exitCode: 2 },
      ...{ cycles: 1, tokens: 7, costUsd: 0, elapsedMs: 5 },
    }),
  ];
  const read = old.flatMap(readLogLine);
  expect(read.map(({ type }) => type)).toEqual([
    'run:init',
    'run:text',
    'run:tool',
    'run:result',
    'run:retry',
    'worker:end',
  ]);
  expect(read).toMatchObject([
    { time, model: 'opus', missing: ['TaskList', 'TaskGet', 'TaskUpdate'] },
    { text: 'I try it.' },
    { id: 'a', name: 'Bash', kind: 'command', summary: 'npm test', command: 'npm test' },
    { id: 'a', text: 'Exit code 1', isError: true },
    { error: 'overloaded', attempt: 1, most: 4 },
    { kind: 'limit', reason: 'the time is up' },
  ]);
});

test.each([
  [line('run:text', { claude: message('assistant', [null, 7, { type: 'text' }]) }), ['run:event']],
  [line('run:text', { claude: 'a text' }), ['run:event']],
  [line('run:text', { other: 1 }), ['log:unread']],
  [line('run:result', { claude: message('user', 'said by a person') }), ['run:event']],
  [line('later:version', { claude: {} }), ['log:unread']],
  ['{"time":"x","type":"run:te', []],
])('%s', (text, types) => {
  expect(readLogLine(text).map(({ type }) => type)).toEqual(types);
});
