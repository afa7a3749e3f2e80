import { expect } from 'vitest';
import { contract } from '../../rig/client/contract.ts';
import { command, hooksOn } from '../support/hooks-settings.ts';
import { runWrite, seenResult } from '../support/hooks-write.ts';

contract(
  'a PreToolUse hook that exits with 2 denies; the model is shown the command and its stderr',
  {},
  async (stage) => {
    const line = 'echo printed; echo told-on-stderr >&2; exit 2';
    const run = await runWrite(stage, { settings: hooksOn('PreToolUse', command(line)) });
    expect(run.written).toBe(false);
    expect(seenResult(run)).toEqual({
      text: `PreToolUse:Write hook error: [${line}]: told-on-stderr\n`,
      isError: true,
    });
  },
);
