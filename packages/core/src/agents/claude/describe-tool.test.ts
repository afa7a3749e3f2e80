import { expect, test } from 'vitest';
import { describeTool } from './describe-tool.ts';

test.each<[string, Record<string, unknown>, string]>([
  ['Edit', { file_path: '/p/shop.stories/cart/src/a.ts' }, 'Edit src/a.ts'],
  ['NotebookEdit', { notebook_path: 'a.ipynb' }, 'NotebookEdit a.ipynb'],
  ['Bash', { command: 'cd /p/shop.stories/cart/sub &&\n  npm test' }, 'Bash cd sub && npm test'],
  ['TaskUpdate', { taskId: 'one', status: 'completed' }, 'TaskUpdate one completed'],
  ['TaskList', {}, 'TaskList'],
  ['Grep', { pattern: 'x'.repeat(500) }, `Grep ${'x'.repeat(155)}`],
  ['Odd', { file_path: 7 }, 'Odd'],
])('%s %j', (name, input, line) => {
  expect(describeTool(name, input, '/p/shop.stories/cart')).toBe(line);
});
