import { expect } from 'vitest';
import { contract } from '../../rig/client/contract.ts';
import { callTools, update } from '../support/tasks-call-tools.ts';

contract('an update to what already holds names no field and no change', {}, async (stage) => {
  stage.writeTask('a', { status: 'in_progress' });
  const { shown, results } = await callTools(stage, [
    update('a', { status: 'in_progress' }),
    update('a', { subject: 'Do a' }),
  ]);
  expect(shown).toEqual(['Updated task #a ', 'Updated task #a ']);
  for (const result of results) {
    expect(result).toMatchObject({ success: true, taskId: 'a', updatedFields: [] });
    expect(result).not.toHaveProperty('statusChange');
  }
});
