import { expect } from 'vitest';
import { contract } from '../../rig/client/contract.ts';
import { command, hooksOn } from '../support/hooks-settings.ts';
import { calls, DONE, seenResult } from '../support/hooks-write.ts';

contract(
  'a TaskCreated hook that exits with 2 refuses the task',
  { since: '2.1.100' },
  async (stage) => {
    const settings = hooksOn('TaskCreated', command('echo the plan is fixed >&2; exit 2'));
    const create = calls('TaskCreate', { subject: 'More', description: 'Of it.' });
    const run = await stage.run({ turns: [create, DONE], settings });
    expect(seenResult(run)).toEqual({
      text: expect.stringContaining('the plan is fixed'),
      isError: true,
    });
    expect(stage.taskFiles().filter((file) => file.endsWith('.json'))).toEqual([]);
  },
);
