import { expect } from 'vitest';
import { contract } from '../../rig/client/contract.ts';
import { callTools, list, update } from '../support/tasks-call-tools.ts';

contract(
  'fields that the client does not know are read, but dropped when it writes; metadata is kept',
  {},
  async (stage) => {
    const metadata = { saga: { guidance: 'Look.', doneWhen: ['green'] }, points: 3, none: null };
    stage.writeTask('a', { guidance: 'Look.', priority: 1, metadata });
    const { shown } = await callTools(stage, [list, update('a', { status: 'in_progress' })]);
    expect(shown[0]).toBe('#a [pending] Do a');
    expect(stage.readTask('a')).toEqual({
      id: 'a',
      subject: 'Do a',
      description: 'All of a.',
      status: 'in_progress',
      blocks: [],
      blockedBy: [],
      metadata,
    });
  },
);
