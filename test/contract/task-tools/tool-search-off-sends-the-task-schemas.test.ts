import { expect } from 'vitest';
import { contract } from '../../rig/client/contract.ts';
import { ALL_FOUR, offerTaskTools } from '../support/tools-offered.ts';

contract('ENABLE_TOOL_SEARCH=false sends the schemas of the Task tools', {}, async (stage) => {
  const { inInit, inRequest, system } = await offerTaskTools(stage, {
    env: {
      CLAUDE_CODE_ENABLE_TASKS: 'true',
      CLAUDE_CODE_ENABLE_TODO_TOOLS: '1',
      ENABLE_TOOL_SEARCH: 'false',
    },
  });
  expect(inInit).toEqual(ALL_FOUR);
  expect(inRequest).toEqual(ALL_FOUR);
  expect(system).not.toContain('deferred tools');
});
