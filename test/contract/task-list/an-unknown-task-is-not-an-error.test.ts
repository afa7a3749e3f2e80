import { expect } from 'vitest';
import { contract } from '../../rig/client/contract.ts';
import { callTools, get, update } from '../support/tasks-call-tools.ts';

contract(
  'the model is told `Task not found` for an unknown id, and the stream says success: false',
  {},
  async (stage) => {
    const { shown, results } = await callTools(stage, [
      get('ghost'),
      update('ghost', { status: 'completed' }),
    ]);
    expect(shown).toEqual(['Task not found', 'Task not found']);
    expect(results[0]).toEqual({ task: null });
    expect(results[1]).toEqual({
      success: false,
      taskId: 'ghost',
      updatedFields: [],
      error: 'Task not found',
    });
  },
);

contract('an unknown task is not marked as an error', { since: '2.1.33' }, async (stage) => {
  const { failed } = await callTools(stage, [get('ghost'), update('ghost', { owner: 'me' })]);
  expect(failed).toEqual([false, false]);
});
