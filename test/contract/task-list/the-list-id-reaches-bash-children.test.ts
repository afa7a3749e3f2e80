import { expect } from 'vitest';
import { contract } from '../../rig/client/contract.ts';
import { bash, callTools } from '../support/tasks-call-tools.ts';

contract('CLAUDE_CODE_TASK_LIST_ID reaches the children of Bash', {}, async (stage) => {
  const { shown } = await callTools(stage, [bash('printenv CLAUDE_CODE_TASK_LIST_ID')]);
  expect(shown).toEqual([stage.listId]);
});
