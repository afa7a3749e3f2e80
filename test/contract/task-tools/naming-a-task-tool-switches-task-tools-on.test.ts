import { expect } from 'vitest';
import { contract } from '../../rig/client/contract.ts';
import { ALL_FOUR, offerTaskTools } from '../support/tools-offered.ts';

contract(
  '--tools alone brings the Task tools that it names, with their schemas, and no others',
  { since: '2.1.150' },
  async (stage) => {
    const named = ['TaskGet', 'TaskList', 'TaskUpdate'];
    const args = ['--tools', ['Bash', ...named].join()];
    expect(await offerTaskTools(stage, { args })).toMatchObject({
      inInit: named,
      inRequest: named,
    });
  },
);

contract(
  'one Task tool in --allowedTools brings all four into init',
  { since: '2.1.150' },
  async (stage) => {
    const { inInit } = await offerTaskTools(stage, { args: ['--allowedTools', 'TaskList'] });
    expect(inInit).toEqual(ALL_FOUR);
  },
);

contract(
  'one Task tool in --allowedTools alone leaves all four deferred',
  { since: '2.1.304' },
  async (stage) => {
    const { inRequest } = await offerTaskTools(stage, { args: ['--allowedTools', 'TaskList'] });
    expect(inRequest).toEqual([]);
  },
);
