import { expect } from 'vitest';
import { contract } from '../../rig/client/contract.ts';
import { decision, hooksOn, says } from '../support/hooks-settings.ts';
import { runWrite, seenResult } from '../support/hooks-write.ts';

contract(
  'a PreToolUse hook that asks denies in a headless run',
  { since: '2.1.100' },
  async (stage) => {
    const question = decision('ask', { permissionDecisionReason: 'Really?' });
    const run = await runWrite(stage, { settings: hooksOn('PreToolUse', says(question)) });
    expect(run.written).toBe(false);
    expect(seenResult(run)?.isError).toBe(true);
    expect(run).toMatchObject({ code: 0, result: { is_error: false } });
  },
);
