import { expect } from 'vitest';
import { contract } from '../../rig/client/contract.ts';
import { callTools, update } from '../support/tasks-call-tools.ts';

contract('a blocked task may be started and completed', {}, async (stage) => {
  stage.writeTask('a', { blocks: ['b'] });
  stage.writeTask('b', { blockedBy: ['a'] });
  const { shown, failed } = await callTools(stage, [
    update('b', { status: 'in_progress' }),
    update('b', { status: 'completed' }),
  ]);
  expect(shown).toEqual(['Updated task #b status', 'Updated task #b status']);
  expect(failed).toEqual([false, false]);
  expect(stage.readTask('b')).toMatchObject({ status: 'completed', blockedBy: ['a'] });
});
