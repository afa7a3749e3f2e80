import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { NO_LIFELINE } from '../../../../../test/rig/programs/no-lifeline.ts';
import { createTempFolder } from '../../../../../test/rig/project/temp-folder.ts';
import type { AgentQuestion, AgentStep } from '../agent.ts';
import { ask } from './ask.ts';

/** Asks a stand-in for the client: a shell script that prints these lines and then does the rest. */
async function askScript(lines: readonly object[], rest = '', more: Partial<AgentQuestion> = {}) {
  using temp = createTempFolder();
  const folder = temp.path;
  const path = join(folder, 'client');
  const said = lines.map((line) => JSON.stringify(line)).join('\n');
  writeFileSync(path, `#!/bin/sh\ncat >prompt\ncat <<'END'\n${said}\nEND\n${rest}\n`);
  chmodSync(path, 0o755);
  const steps: AgentStep[] = [];
  const answer = await ask({
    program: { path, version: '2.1.325' },
    home: { config: join(folder, 'home') },
    folder,
    env: { PATH: process.env.PATH },
    model: 'opus',
    prompt: 'Why?',
    schema: { type: 'object' },
    conversation: { id: 'a', isContinued: false, earlierCostUsd: 0 },
    maxUsd: 1,
    deadline: Number.POSITIVE_INFINITY,
    stop: new AbortController().signal,
    lifeline: NO_LIFELINE,
    onStep: (step) => steps.push(step),
    ...more,
  });
  return { answer, steps };
}

const call = (name: string, input: object) => ({
  type: 'assistant',
  message: { content: [{ type: 'tool_use', id: name, name, input }] },
});
const result = (fields: object) => ({ type: 'result', subtype: 'success', ...fields });

test('an answer has its value and its own cost, and the steps before it are told', async () => {
  const lines = [
    call('Read', { file_path: '/a/b.ts' }),
    call('Glob', { pattern: '*.md' }),
    call('StructuredOutput', { yes: true }),
    result({ structured_output: { yes: true }, total_cost_usd: 0.75 }),
  ];
  const conversation = { id: 'a', isContinued: true, earlierCostUsd: 0.5 };
  expect(await askScript(lines, '', { conversation })).toEqual({
    answer: { kind: 'answer', value: { yes: true }, costUsd: 0.25 },
    steps: [
      { kind: 'call', text: 'Read /a/b.ts' },
      { kind: 'call', text: 'Glob *.md' },
      { kind: 'answer' },
    ],
  });
});

test.each<[string, object[], string, object]>([
  [
    'the budget is spent',
    [result({ subtype: 'error_max_budget_usd', is_error: true })],
    'exit 1',
    { why: 'budget', detail: 'the budget is spent' },
  ],
  [
    'the key is refused',
    [result({ is_error: true, result: 'Invalid API key', api_error_status: 401 })],
    'exit 1',
    { why: 'credential-refused', detail: 'Invalid API key' },
  ],
  [
    'the client knows no such flag',
    [],
    'echo unknown option >&2; exit 1',
    { why: 'usage-error', detail: 'unknown option' },
  ],
])('there is no answer if %s', async (_, lines, rest, expected) => {
  expect((await askScript(lines, rest)).answer).toEqual({ kind: 'none', ...expected });
});

test('a question that takes too long is ended, and so is one that a person stops', async () => {
  const late = await askScript([], 'exec sleep 600', { deadline: Date.now() + 10 });
  expect(late.answer).toMatchObject({ kind: 'none', why: 'time' });
  const stop = AbortSignal.abort();
  const stopped = await askScript([], 'exec sleep 600', { stop });
  expect(stopped.answer).toMatchObject({ kind: 'none', why: 'signal' });
});
