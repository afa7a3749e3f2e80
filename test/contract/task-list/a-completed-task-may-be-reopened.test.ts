import { expect } from 'vitest';
import { contract } from '../../rig/client/contract.ts';
import { callTools, update } from '../support/tasks-call-tools.ts';

contract('a completed task may be set back to pending', {}, async (stage) => {
  stage.writeTask('a', { status: 'completed' });
  const { results } = await callTools(stage, [update('a', { status: 'pending' })]);
  expect(results[0]).toMatchObject({
    success: true,
    statusChange: { from: 'completed', to: 'pending' },
  });
  expect(stage.readTask('a').status).toBe('pending');
});
