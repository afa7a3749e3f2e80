import { expect } from 'vitest';
import { contract } from '../../rig/client/contract.ts';
import { hooksOn, says } from '../support/hooks-settings.ts';
import { DONE, isWritten, writes } from '../support/hooks-write.ts';

contract(
  'continue:false from PreToolUse lets the tool run, then ends the run as a success',
  { since: '2.1.100' },
  async (stage) => {
    const { code, result, model } = await stage.run({
      turns: [writes(stage, 'file.txt'), writes(stage, 'second.txt'), DONE],
      settings: hooksOn('PreToolUse', says({ continue: false, stopReason: 'Enough.' })),
    });
    expect(isWritten(stage, 'file.txt')).toBe(true);
    expect(isWritten(stage, 'second.txt')).toBe(false);
    expect(model.requests.filter((request) => request.kind === 'turn')).toHaveLength(1);
    expect(code).toBe(0);
    expect(result).toMatchObject({
      is_error: false,
      subtype: 'success',
      terminal_reason: 'hook_stopped',
    });
  },
);
