import { expect } from 'vitest';
import { contract } from '../../rig/client/contract.ts';

contract('the stream carries every status change of a task', {}, async (stage) => {
  stage.writeTask('a');
  const { events, result } = await stage.run({
    turns: [
      { calls: [{ tool: 'TaskUpdate', input: { taskId: 'a', status: 'in_progress' } }] },
      { calls: [{ tool: 'TaskUpdate', input: { taskId: 'a', status: 'in_progress' } }] },
      { calls: [{ tool: 'TaskUpdate', input: { taskId: 'a', status: 'completed' } }] },
      { text: 'Done.' },
    ],
  });
  const changes = events.filter((it) => it.type === 'user').map((it) => it.tool_use_result);
  expect(changes.map((it) => it.statusChange)).toEqual([
    { from: 'pending', to: 'in_progress' },
    undefined,
    { from: 'in_progress', to: 'completed' },
  ]);
  expect(changes[0]).toMatchObject({ success: true, taskId: 'a', updatedFields: ['status'] });
  expect(stage.readTask('a').status).toBe('completed');
  expect(result?.is_error).toBe(false);
});
