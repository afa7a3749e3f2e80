import { expect, test } from 'vitest';
import { ClaudeStream } from './stream.ts';

const read = (line: unknown, stream = new ClaudeStream()) =>
  stream.read(typeof line === 'string' ? line : JSON.stringify(line));
const assistant = (content: unknown, more: object = {}) => ({
  type: 'assistant',
  message: {
    id: 'm',
    content,
    model: 'claude-opus-4-8',
    usage: { input_tokens: 5, output_tokens: 2 },
  },
  ...more,
});
const CALL = { type: 'tool_use', id: 'c', name: 'Bash', input: { command: 'ls' } };

test('a message is told part by part, and the first part carries the line verbatim', () => {
  const line = assistant([
    { type: 'thinking', thinking: 'Hm.' },
    { type: 'text', text: 'So.' },
    CALL,
  ]);
  expect(read(line)).toEqual([
    { type: 'run:text', text: 'Hm.', isThought: true, tokens: 7, claude: line },
    { type: 'run:text', text: 'So.', tokens: 7 },
    {
      ...{ type: 'run:tool', id: 'c', name: 'Bash', kind: 'command', summary: 'ls' },
      ...{ command: 'ls', input: {}, tokens: 7, costUsd: 0.0001 },
    },
  ]);
});

test('a result tells its text, its patch and the status of a task that it changed', () => {
  const hunk = { oldStart: 1, oldLines: 1, newStart: 1, newLines: 1, lines: ['-a', '+b'] };
  const [told] = read({
    type: 'user',
    message: { content: [{ type: 'tool_result', tool_use_id: 'c', content: [{ text: 'ok' }] }] },
    tool_use_result: {
      structuredPatch: [hunk],
      taskId: 'one',
      statusChange: { from: 'pending', to: 'completed' },
    },
  });
  expect(told).toMatchObject({
    ...{ type: 'run:result', id: 'c', text: 'ok' },
    patch: [{ oldStart: 1, newStart: 1, lines: ['-a', '+b'] }],
    status: { task: 'one', to: 'completed' },
  });
});

test('what the client does not allow is told apart from what fails, without its advice', () => {
  const result = (content: string) => ({
    type: 'user',
    message: { content: [{ type: 'tool_result', tool_use_id: 'c', is_error: true, content }] },
  });
  expect(read(result('Permission to use Bash was denied. IMPORTANT: You\nmay'))).toMatchObject([
    { text: 'Permission to use Bash was denied.', isError: true, isDenied: true },
  ]);
  const [failed] = read(result('Exit code 1 IMPORTANT: said by a test'));
  const text = 'Exit code 1 IMPORTANT: said by a test';
  expect(failed).toMatchObject({ text, isError: true, isDenied: undefined });
});

test.each<[string, unknown, string[]]>([
  ['a message that is a text', assistant('So.'), ['run:text']],
  ['a message without content', assistant(undefined), ['run:event']],
  ['a message of nothing', { type: 'assistant' }, ['run:event']],
  ['parts that are none', assistant([null, 7, 'x', { type: 'text' }]), ['run:event']],
  ['a call without fields', assistant([{ type: 'tool_use' }]), ['run:tool']],
  ['a user who only speaks', { type: 'user', message: { content: 'x' } }, ['run:event']],
  ['a result of nothing', { type: 'result', result: 7, usage: null }, ['run:outcome']],
  ['a rate limit', { type: 'rate_limit_event', rate_limit_info: null }, ['run:rate-limit']],
  ['a type of a later client', { type: 'new' }, ['run:event']],
  ['a text', 'Warning: old Node', ['run:noise']],
  ['a number', '7', ['run:noise']],
  ['a list', '[1]', ['run:event']],
  ['an empty line', '  ', []],
])('%s does not stop the reader', (_, line, types) => {
  const stream = new ClaudeStream();
  expect(read(line, stream).map(({ type }) => type)).toEqual(types);
  expect(stream.classify({ code: 0, signal: null, stderr: '' }).detail).toEqual(expect.any(String));
});

test('tokens are those of the messages, or of the results if they say more', () => {
  const stream = new ClaudeStream();
  read(assistant([CALL]), stream);
  read(assistant([CALL]), stream);
  expect(stream.tokens).toBe(7);
  read({ type: 'result', usage: { output_tokens: 100 }, total_cost_usd: 0.5 }, stream);
  expect([stream.tokens, stream.costUsd, stream.isCostEstimated]).toEqual([100, 0.5, false]);
});

test('a run that was cut off costs about what its tokens cost', () => {
  const stream = new ClaudeStream();
  const message = (id: string, model: string, usage: object) =>
    read({ type: 'assistant', message: { id, model, content: [CALL], usage } }, stream);
  expect([stream.costUsd, stream.isCostEstimated]).toEqual([0, false]);
  message('a', 'claude-sonnet-5', { output_tokens: 100_000 });
  // A message in several lines is counted once.
  message('a', 'claude-sonnet-5', { output_tokens: 100_000 });
  message('b', 'claude-sonnet-5', {
    input_tokens: 100_000,
    cache_creation_input_tokens: 100_000,
    cache_read_input_tokens: 1_000_000,
  });
  expect([stream.costUsd, stream.isCostEstimated]).toEqual([1 + 0.2 + 0.25 + 0.2, true]);
});

test('the cost of a model without a known price is told as unknown until the client says it', () => {
  const stream = new ClaudeStream();
  const message = { id: 'm', model: 'nobody-1', content: [CALL], usage: { output_tokens: 100 } };
  expect(read({ type: 'assistant', message }, stream)).toMatchObject([
    { type: 'run:tool', tokens: 100, isCostUnknown: true },
  ]);
  expect([stream.isCostUnknown, stream.isCostEstimated]).toEqual([true, true]);
  read({ type: 'result', subtype: 'success', total_cost_usd: 0.5 }, stream);
  expect([stream.isCostUnknown, stream.costUsd]).toEqual([false, 0.5]);
});

test('pieces of an answer and pings are signs of life, and no events', () => {
  const stream = new ClaudeStream();
  expect(read({ type: 'stream_event', event: { type: 'ping' } }, stream)).toEqual([]);
  expect(stream.signs).toBe(1);
  read(assistant([CALL]), stream);
  expect(stream.signs).toBe(2);
});

test('that a tool still runs, and that a message was queued, is told and no sign of life', () => {
  const stream = new ClaudeStream();
  expect(read({ type: 'tool_progress', heartbeat: true }, stream)).toHaveLength(1);
  expect(read({ type: 'command_lifecycle', state: 'queued' }, stream)).toHaveLength(1);
  expect(read('Warning: slow.', stream)).toHaveLength(1);
  expect(stream.signs).toBe(0);
});

test('an answer in a form is kept as it is', () => {
  const stream = new ClaudeStream();
  read(
    { type: 'result', subtype: 'success', result: '', structured_output: { tasks: [] } },
    stream,
  );
  expect(stream.answer).toEqual({ tasks: [] });
});

test('what a model wrote counts for the estimate, although the client says its tokens only at the end', () => {
  const stream = new ClaudeStream();
  const part = (content: object) =>
    read(
      {
        type: 'assistant',
        message: {
          id: 'm',
          model: 'claude-sonnet-5',
          content: [content],
          usage: { output_tokens: 1 },
        },
      },
      stream,
    );
  part({ type: 'text', text: 'x'.repeat(200_000) });
  part({ ...CALL, input: { command: 'y'.repeat(199_986) } });
  // 400,000 characters, of which 14 are the name of the field.
  expect([stream.tokens, stream.costUsd]).toEqual([1, 1]);
});
