import { expect } from 'vitest';
import { contract } from '../../rig/client/contract.ts';
import { createHookLog } from '../support/hooks-log.ts';
import { hooksOn } from '../support/hooks-settings.ts';
import { calls, DONE } from '../support/hooks-write.ts';

contract('PostToolUse of TaskUpdate carries what has changed', {}, async (stage) => {
  stage.writeTask('a');
  const log = createHookLog(stage);
  const update = calls('TaskUpdate', { taskId: 'a', status: 'in_progress' });
  const settings = hooksOn('PostToolUse', log.hook, 'TaskUpdate');
  await stage.run({ turns: [update, calls('TaskList', {}), DONE], settings });
  expect(log.payloads()).toMatchObject([
    {
      hook_event_name: 'PostToolUse',
      tool_name: 'TaskUpdate',
      tool_input: { taskId: 'a', status: 'in_progress' },
      tool_response: {
        success: true,
        taskId: 'a',
        updatedFields: ['status'],
        statusChange: { from: 'pending', to: 'in_progress' },
      },
    },
  ]);
});
