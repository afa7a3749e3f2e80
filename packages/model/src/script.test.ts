import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SagaError } from '@saga-ai/core/errors';
import { expect, test } from 'vitest';
import { loadScript, parseScript } from './script.ts';

function messagesOf(run: () => unknown): string[] {
  try {
    run();
  } catch (error) {
    if (!(error instanceof SagaError)) throw error;
    return error.problems.length > 0 ? error.problems.map((it) => it.message) : [error.message];
  }
  return [];
}

const call = { tool: 'Bash', input: {} };

test.each<[string, unknown]>([
  ['it must be an object (found "hello")', 'hello'],
  ['it needs "text", "calls" or "fault"', {}],
  ['"text" must be a text (found 1)', { text: 1 }],
  ['"call" is not known; did you mean "calls"?', { call: [], text: 'a' }],
  ['"calls" must be a list (found {})', { calls: {} }],
  ['"calls[1].tool" is missing', { calls: [call, { input: {} }] }],
  ['"calls[0].input" must be an object (found [])', { calls: [{ tool: 'Bash', input: [] }] }],
  [
    '"usage.outputTokens" must be a number, not below 0 (found -1)',
    { text: '', usage: { outputTokens: -1 } },
  ],
  ['"fault" needs "status" or "kind"', { fault: {} }],
  ['"fault.status" must be a status from 400 to 599 (found 200)', { fault: { status: 200 } }],
  [
    '"fault.times" must be a whole number from 1, or "always" (found 0)',
    { fault: { status: 500, times: 0 } },
  ],
  [
    '"fault.retryafter" is not known; did you mean "retryAfter"?',
    { fault: { status: 429, retryafter: 1 } },
  ],
  [
    '"fault.pauseMs" must be a number, not below 0 (found "1")',
    { text: 'a', fault: { kind: 'slow-stream', pauseMs: '1' } },
  ],
  ['"fault" must be an object (found "429")', { fault: '429' }],
  [
    '"fault.times" is not known (known: kind, forMs)',
    { fault: { kind: 'refused-connection', times: 1 } },
  ],
  ['"fault.headers.a" must be a text (found 1)', { fault: { status: 500, headers: { a: 1 } } }],
  ['"fault" leaves no room for "text" or "calls"', { text: 'a', fault: { status: 500 } }],
])('%s', (reason, turn) => {
  const messages = messagesOf(() => parseScript('bad', { turns: [{ text: 'fine' }, turn] }));
  expect(messages).toEqual([`Script bad, turn 2: ${reason}.`]);
});

test('every fault of a script is told at once', () => {
  const messages = messagesOf(() =>
    parseScript('bad', { turns: [{}, { fault: { kind: 'odd' } }] }),
  );
  expect(messages).toHaveLength(2);
  expect(messages[1]).toContain(
    'turn 2: "fault.kind" must be one of refused-connection, cut-stream',
  );
});

test('a file that is missing, is not JSON, or holds no turns', () => {
  const folder = mkdtempSync(join(tmpdir(), 'saga-model-'));
  const path = join(folder, 'walk.bad.script.json');
  try {
    expect(() => loadScript(path)).toThrow(`Script ${path} cannot be read: it is missing.`);
    writeFileSync(path, '{\n  "turns": [\n    { "text": oops }\n  ]\n}\n');
    expect(() => loadScript(path)).toThrow(
      'Script walk.bad.script.json is not valid JSON (line 3: unexpected "o").',
    );
    writeFileSync(path, '[]');
    expect(() => loadScript(path)).toThrow('Script walk.bad.script.json: "turns" must be a list.');
  } finally {
    rmSync(folder, { recursive: true });
  }
});
