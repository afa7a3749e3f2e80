import { expect } from 'vitest';
import { contract } from '../../rig/client/contract.ts';
import { callTools, get, list, update } from '../support/tasks-call-tools.ts';

contract(
  'the model sees subject, description, status, dependencies and owner, but no metadata',
  {},
  async (stage) => {
    stage.writeTask('a', {
      subject: 'SUBJECT',
      description: 'DESCRIPTION\nin two lines',
      owner: 'OWNER',
      activeForm: 'ACTIVE-FORM',
      metadata: { 'META-KEY': 'META-VALUE' },
      blocks: ['b', 'c'],
      blockedBy: ['d', 'e'],
    });
    const { shown, model } = await callTools(stage, [
      list,
      get('a'),
      update('a', { status: 'in_progress' }),
    ]);
    expect(shown).toEqual([
      '#a [pending] SUBJECT (OWNER) [blocked by #d, #e]',
      'Task #a: SUBJECT\nStatus: pending\nDescription: DESCRIPTION\nin two lines\nBlocked by: #d, #e\nBlocks: #b, #c',
      'Updated task #a status',
    ]);
    const everything = JSON.stringify(model.requests.map(({ body }) => body));
    expect(everything).toContain('DESCRIPTION');
    expect(everything).not.toMatch(/META-KEY|META-VALUE|ACTIVE-FORM/);
  },
);
