import { expect } from 'vitest';
import { contract } from '../../rig/client/contract.ts';
import { callTools, list, sorted } from '../support/tasks-call-tools.ts';

const REQUIRED = ['id', 'subject', 'description', 'status', 'blocks', 'blockedBy'];

contract(
  'a task file with its six required keys is listed, one that lacks any of them is not',
  {},
  async (stage) => {
    stage.writeTask('minimal');
    stage.writeTask('whole', { activeForm: 'Doing it', owner: 'me', metadata: {} });
    for (const key of REQUIRED) stage.writeTask(`no-${key}`, { [key]: undefined });
    const { shown } = await callTools(stage, [list]);
    expect(sorted(shown[0])).toEqual([
      '#minimal [pending] Do minimal',
      '#whole [pending] Do whole (me)',
    ]);
    expect(Object.keys(stage.readTask('minimal'))).toEqual(REQUIRED);
  },
);
