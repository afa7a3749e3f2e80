import { expect, test } from 'vitest';
import { describeCall } from './tool-call.ts';

test.each<[string, Record<string, unknown>, string]>([
  ['Edit', { file_path: '/p/.saga/worktrees/cart/src/a.ts' }, 'write: src/a.ts'],
  ['Read', { file_path: '/p/my shop.stories/cart/src/a.ts' }, 'read: src/a.ts'],
  ['Read', { file_path: '/p/my shop.stories/other/a.ts' }, 'read: /p/my shop.stories/other/a.ts'],
  ['NotebookEdit', { notebook_path: 'a.ipynb' }, 'write: a.ipynb'],
  [
    'Bash',
    { description: 'Tests', command: 'cd /p/.saga/worktrees/cart/sub &&\n  npm test' },
    'command: cd sub && npm test',
  ],
  ['TaskUpdate', { taskId: 'one', status: 'completed' }, 'tasks: one completed'],
  ['TaskList', {}, 'tasks: '],
  ['Grep', { pattern: 'x'.repeat(500) }, `read: ${'x'.repeat(300)}`],
  ['WebFetch', { url: 'https://a', prompt: 'What?' }, 'other: https://a'],
  ['Odd', { file_path: 7, more: 'word' }, 'other: word'],
  ['toString', {}, 'other: '],
])('%s %j', (name, input, expected) => {
  const { kind, summary } = describeCall(name, input, '/p/my shop.stories/cart');
  expect(`${kind}: ${summary}`).toBe(expected);
});

test('an edit tells its texts as changes, and only there', () => {
  expect(describeCall('Write', { file_path: 'a', content: 'new' })).toMatchObject({
    path: 'a',
    changes: [{ removed: '', added: 'new' }],
    input: {},
  });
  const edit = { old_string: 'a', new_string: 'b' };
  expect(describeCall('Edit', { ...edit, file_path: 'a', replace_all: true })).toMatchObject({
    changes: [{ removed: 'a', added: 'b' }],
    input: { replace_all: true },
  });
  expect(describeCall('MultiEdit', { edits: [edit, null, { old_string: 7 }] })).toMatchObject({
    changes: [{ removed: 'a', added: 'b' }],
  });
});

test('a command stands beside the rest of what was given', () => {
  expect(describeCall('Bash', { command: 'ls', timeout: 5 })).toMatchObject({
    command: 'ls',
    input: { timeout: 5 },
  });
});
