import { expect } from 'vitest';
import { contract } from '../../rig/client/contract.ts';
import { ALL_FOUR, offerTaskTools } from '../support/tools-offered.ts';

contract(
  'CLAUDE_CODE_ENABLE_TODO_TOOLS alone brings the Task tools',
  { since: '2.1.233' },
  async (stage) => {
    const { inInit } = await offerTaskTools(stage, { env: { CLAUDE_CODE_ENABLE_TODO_TOOLS: '1' } });
    expect(inInit).toEqual(ALL_FOUR);
  },
);
