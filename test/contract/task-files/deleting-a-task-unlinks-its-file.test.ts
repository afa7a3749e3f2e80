import { expect } from 'vitest';
import { contract } from '../../rig/client/contract.ts';
import { callTools, update } from '../support/tasks-call-tools.ts';

contract(
  'status deleted unlinks the file, strips the id from other tasks, and is in the stream',
  {},
  async (stage) => {
    stage.writeTask('a', { blocks: ['b'] });
    stage.writeTask('b', { blockedBy: ['a', 'z'], blocks: ['c'] });
    stage.writeTask('c', { blockedBy: ['b'] });
    stage.writeTask('z', { blocks: ['b'] });
    const { shown, results } = await callTools(stage, [update('b', { status: 'deleted' })]);
    expect(shown).toEqual(['Updated task #b deleted']);
    expect(results[0]).toEqual({
      success: true,
      taskId: 'b',
      updatedFields: ['deleted'],
      statusChange: { from: 'pending', to: 'deleted' },
    });
    expect(stage.taskFiles()).toEqual(['a.json', 'c.json', 'z.json']);
    expect(stage.readTask('a').blocks).toEqual([]);
    expect(stage.readTask('z').blocks).toEqual([]);
    expect(stage.readTask('c').blockedBy).toEqual([]);
  },
);
