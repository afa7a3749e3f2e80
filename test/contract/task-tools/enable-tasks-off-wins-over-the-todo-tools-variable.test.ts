import { expect } from 'vitest';
import { contract } from '../../rig/client/contract.ts';

contract(
  'CLAUDE_CODE_ENABLE_TASKS=0 takes the Task tools away, so a worker has to overwrite it',
  {},
  async (stage) => {
    const { init } = await stage.run({
      plain: true,
      env: {
        CLAUDE_CODE_ENABLE_TASKS: '0',
        CLAUDE_CODE_ENABLE_TODO_TOOLS: '1',
        ENABLE_TOOL_SEARCH: 'false',
      },
      turns: [{ text: 'Done.' }],
    });
    expect(init?.tools).toContain('TodoWrite');
    expect(init?.tools).not.toContain('TaskList');
  },
);
