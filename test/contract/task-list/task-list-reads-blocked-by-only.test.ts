import { expect } from 'vitest';
import { contract } from '../../rig/client/contract.ts';
import { callTools, list, sorted, update } from '../support/tasks-call-tools.ts';

contract(
  'a blocks that is not answered by blockedBy blocks nothing, and nobody repairs it',
  {},
  async (stage) => {
    stage.writeTask('a', { blocks: ['b'] });
    stage.writeTask('b');
    const { shown } = await callTools(stage, [list, update('a', { owner: 'me' })]);
    expect(sorted(shown[0])).toEqual(['#a [pending] Do a', '#b [pending] Do b']);
    expect(stage.readTask('a').blocks).toEqual(['b']);
    expect(stage.readTask('b').blockedBy).toEqual([]);
  },
);
