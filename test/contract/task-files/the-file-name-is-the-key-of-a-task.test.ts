import { expect } from 'vitest';
import { contract } from '../../rig/client/contract.ts';
import { callTools, get, list, update } from '../support/tasks-call-tools.ts';

contract(
  'a task whose id is not its file name is listed by the id, found by the name, and then renamed',
  {},
  async (stage) => {
    stage.writeTask('outer', { id: 'inner' });
    const { shown } = await callTools(stage, [
      list,
      get('inner'),
      update('inner', { status: 'completed' }),
      get('outer'),
      update('outer', { status: 'in_progress' }),
      list,
    ]);
    expect(shown).toEqual([
      '#inner [pending] Do outer',
      'Task not found',
      'Task not found',
      'Task #inner: Do outer\nStatus: pending\nDescription: All of outer.',
      'Updated task #outer status',
      '#outer [in_progress] Do outer',
    ]);
    expect(stage.readTask('outer')).toMatchObject({ id: 'outer', status: 'in_progress' });
  },
);
