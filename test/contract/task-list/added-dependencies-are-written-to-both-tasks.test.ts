import { expect } from 'vitest';
import { contract } from '../../rig/client/contract.ts';
import { callTools, list, sorted, update } from '../support/tasks-call-tools.ts';

contract('addBlockedBy and addBlocks write to both tasks', {}, async (stage) => {
  for (const id of ['a', 'b', 'c']) stage.writeTask(id);
  const { shown } = await callTools(stage, [
    update('b', { addBlockedBy: ['a'], addBlocks: ['c'] }),
    list,
  ]);
  expect(shown[0]).toBe('Updated task #b blocks, blockedBy');
  expect(sorted(shown[1])).toEqual([
    '#a [pending] Do a',
    '#b [pending] Do b [blocked by #a]',
    '#c [pending] Do c [blocked by #b]',
  ]);
  expect(stage.readTask('a')).toMatchObject({ blocks: ['b'], blockedBy: [] });
  expect(stage.readTask('b')).toMatchObject({ blocks: ['c'], blockedBy: ['a'] });
  expect(stage.readTask('c')).toMatchObject({ blocks: [], blockedBy: ['b'] });
});

contract(
  'a dependency on a missing task is said to be added, but nothing is written',
  {},
  async (stage) => {
    stage.writeTask('a');
    const { shown, results } = await callTools(stage, [update('a', { addBlockedBy: ['ghost'] })]);
    expect(shown).toEqual(['Updated task #a blockedBy']);
    expect(results[0]).toMatchObject({ success: true, updatedFields: ['blockedBy'] });
    expect(stage.readTask('a').blockedBy).toEqual([]);
    expect(stage.taskFiles()).toEqual(['a.json']);
  },
);

contract('a dependency cannot be removed: TaskUpdate takes no other fields', {}, async (stage) => {
  stage.writeTask('a', { blockedBy: ['b'] });
  const { shown, failed } = await callTools(stage, [
    update('a', { status: 'completed', removeBlockedBy: ['b'] }),
  ]);
  expect(shown[0]).toContain('An unexpected parameter `removeBlockedBy` was provided');
  expect(failed).toEqual([true]);
  expect(stage.readTask('a')).toMatchObject({ status: 'pending', blockedBy: ['b'] });
});
