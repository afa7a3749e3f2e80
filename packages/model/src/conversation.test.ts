import { expect, test } from 'vitest';
import { readConversation } from './conversation.ts';

const use = (id: string, name: string, input = {}) => ({ type: 'tool_use', id, name, input });
const result = (id: string, content: unknown, is_error = false) => ({
  type: 'tool_result',
  tool_use_id: id,
  content,
  is_error,
});

test('reads the shapes that client 2.1.325 sends', () => {
  const conversation = readConversation({
    model: 'claude-opus-5-5',
    system: [{ type: 'text', text: 'You are an agent.' }],
    tools: [
      { name: 'Bash' },
      { name: 'ToolSearch' },
      { name: 'TaskList', defer_loading: true },
      { name: 'DeferredToolPlaceholder', defer_loading: true },
    ],
    messages: [
      {
        role: 'user',
        content: [
          { type: 'text', text: '<system-reminder>\nworking directory: /no\n</system-reminder>' },
          { type: 'text', text: 'do it' },
        ],
      },
      {
        role: 'system',
        content: '# Environment\n - Primary working directory: /tmp/a b (was /tmp)\n',
      },
      { role: 'assistant', content: [use('1', 'ToolSearch')] },
      {
        role: 'user',
        content: [
          result('1', [{ type: 'tool_reference', tool_name: 'TaskList' }]),
          { type: 'text', text: 'Tool loaded.' },
        ],
      },
      { role: 'assistant', content: [use('2', 'TaskList'), use('3', 'Bash', { command: 'x' })] },
      { role: 'user', content: [result('3', 'Exit code 1', true), result('2', '#a [pending] A')] },
      { role: 'system', content: [{ type: 'text', text: 'Say something.' }] },
    ],
  });
  expect(conversation.prompt).toBe('do it');
  expect(conversation.cwd).toBe('/tmp/a b');
  expect(conversation.tools).toEqual(['Bash', 'ToolSearch', 'TaskList']);
  expect(conversation.isSideQuestion).toBe(false);
  expect(conversation.callsSincePrompt).toEqual(conversation.calls);
  expect(conversation.calls.map((call) => [call.tool, call.result])).toEqual([
    ['ToolSearch', { text: '', isError: false }],
    ['TaskList', { text: '#a [pending] A', isError: false }],
    ['Bash', { text: 'Exit code 1', isError: true }],
  ]);
});

test('a new prompt starts the count of calls again', () => {
  const { prompt, calls, callsSincePrompt } = readConversation({
    tools: [{ name: 'Bash' }],
    messages: [
      { role: 'user', content: 'first' },
      { role: 'assistant', content: [use('1', 'Bash')] },
      { role: 'user', content: [result('1', 'ok')] },
      { role: 'assistant', content: 'Done.' },
      { role: 'user', content: '<system-reminder>only this</system-reminder>\nsecond' },
    ],
  });
  expect([prompt, calls.length, callsSincePrompt.length]).toEqual(['second', 1, 0]);
});

test('no tools, or a summary wanted: not part of the work', () => {
  const ask = (text: string, tools: object[]) =>
    readConversation({ tools, messages: [{ role: 'user', content: text }] }).isSideQuestion;
  expect(ask('Name this session.', [])).toBe(true);
  expect(ask('Your task is to create a detailed summary of the chat.', [{ name: 'Bash' }])).toBe(
    true,
  );
  expect(ask('Work.', [{ name: 'Bash' }])).toBe(false);
});

test('older clients name the directory in the system text', () => {
  const system = '<env>\nWorking directory: /tmp/old\nIs directory a git repo: Yes\n</env>';
  expect(readConversation({ system }).cwd).toBe('/tmp/old');
  expect(readConversation('not an object')).toMatchObject({ cwd: undefined, calls: [] });
});
