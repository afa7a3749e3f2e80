import { expect } from 'vitest';
import { contract } from '../../rig/client/contract.ts';
import { callTools, get, list, sorted, update } from '../support/tasks-call-tools.ts';

contract(
  'a dependency without a file, and one on itself, are shown as blocking for ever',
  {},
  async (stage) => {
    stage.writeTask('a', { blockedBy: ['ghost'] });
    stage.writeTask('b', { blockedBy: ['b'] });
    const { shown } = await callTools(stage, [
      list,
      get('a'),
      update('a', { status: 'completed' }),
      list,
    ]);
    expect(sorted(shown[0])).toEqual([
      '#a [pending] Do a [blocked by #ghost]',
      '#b [pending] Do b [blocked by #b]',
    ]);
    expect(shown[1]).toContain('\nBlocked by: #ghost');
    expect(sorted(shown[3])).toEqual([
      '#a [completed] Do a [blocked by #ghost]',
      '#b [pending] Do b [blocked by #b]',
    ]);
  },
);
