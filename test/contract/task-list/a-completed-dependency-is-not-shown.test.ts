import { expect } from 'vitest';
import { contract } from '../../rig/client/contract.ts';
import { callTools, list, sorted, update } from '../support/tasks-call-tools.ts';

contract(
  'TaskList shows only the dependencies that are not completed, and the file keeps them all',
  {},
  async (stage) => {
    stage.writeTask('a', { blocks: ['c'], status: 'completed' });
    stage.writeTask('b', { blocks: ['c'] });
    stage.writeTask('c', { blockedBy: ['a', 'b'] });
    const { shown, results } = await callTools(stage, [
      list,
      update('b', { status: 'completed' }),
      list,
    ]);
    expect(sorted(shown[0])[2]).toBe('#c [pending] Do c [blocked by #b]');
    expect(sorted(shown[2])[2]).toBe('#c [pending] Do c');
    expect(results[2]?.tasks).toContainEqual({
      id: 'c',
      subject: 'Do c',
      status: 'pending',
      blockedBy: [],
    });
    expect(stage.readTask('c').blockedBy).toEqual(['a', 'b']);
  },
);
