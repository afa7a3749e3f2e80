import { expect } from 'vitest';
import { contract } from '../../rig/client/contract.ts';
import { ALL_FOUR, offerTaskTools } from '../support/tools-offered.ts';

const NONE = { inInit: [], inRequest: [] };

contract('there are no Task tools by default', { since: '2.1.233' }, async (stage) => {
  expect(await offerTaskTools(stage)).toMatchObject(NONE);
});

contract(
  'CLAUDE_CODE_ENABLE_TASKS alone does not bring the Task tools',
  { since: '2.1.233' },
  async (stage) => {
    const env = { CLAUDE_CODE_ENABLE_TASKS: 'true' };
    expect(await offerTaskTools(stage, { env })).toMatchObject(NONE);
  },
);

contract(
  'CLAUDE_CODE_ENABLE_TASKS alone brings the Task tools',
  { until: '2.1.233' },
  async (stage) => {
    const env = { CLAUDE_CODE_ENABLE_TASKS: 'true' };
    const all = { inInit: ALL_FOUR, inRequest: ALL_FOUR };
    expect(await offerTaskTools(stage, { env })).toMatchObject(all);
  },
);
