import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { ClaudeStream } from './stream.ts';

const TYPES = [
  'system',
  'assistant',
  'user',
  'result',
  'rate_limit_event',
  'control_response',
  'x',
];
const SUBTYPES = ['init', 'api_retry', 'status', 'success', 'error_during_execution'];
const KEYS = [
  ...['content', 'usage', 'id', 'model', 'text', 'type', 'name', 'input', 'command', 'file_path'],
  ...['input_tokens', 'status', 'resetsAt', 'structuredPatch', 'lines', 'statusChange', 'taskId'],
];

/** A value of any form where the reader may expect another one. */
const odd = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom(
      null,
      '',
      'tool_use',
      'tool_result',
      'text',
      'thinking',
      'TaskUpdate',
      0,
      -1,
      1e20,
      true,
    ),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom(...KEYS), tie('value'), { maxKeys: 5 }),
  ),
})).value;

const line = fc.record(
  {
    type: fc.constantFrom<unknown>(...TYPES, null, 3),
    subtype: fc.constantFrom<unknown>(...SUBTYPES, null, []),
    message: odd,
    tool_use_result: odd,
    tools: odd,
    usage: odd,
    modelUsage: odd,
    result: odd,
    error: odd,
    rate_limit_info: odd,
    parent_tool_use_id: odd,
  },
  { requiredKeys: ['type'] },
);

test('no line of the client makes the reader throw: the worker would end with it', () => {
  void fc.assert(
    fc.property(fc.array(line, { maxLength: 4 }), (lines) => {
      const stream = new ClaudeStream();
      for (const it of lines) stream.read(JSON.stringify(it));
      stream.classify({ code: 0, signal: null, stderr: '' });
      expect(stream.tokens).toBeGreaterThanOrEqual(0);
    }),
    { numRuns: 2000 },
  );
});
