import { readdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { expect } from 'vitest';
import { contract } from '../../rig/client/contract.ts';
import { callTools, create } from '../support/tasks-call-tools.ts';

contract(
  'every character of the list id but letters, digits, _ and - becomes -',
  {},
  async (stage) => {
    const env = { CLAUDE_CODE_TASK_LIST_ID: 'saga.x y__1/../é' };
    await callTools(stage, [create('N')], { env });
    const lists = readdirSync(dirname(stage.tasks)).toSorted();
    expect(lists).toEqual(['saga-x-y__1-----', stage.listId].toSorted());
  },
);
