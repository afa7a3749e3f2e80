import { expect } from 'vitest';
import { contract } from '../../rig/client/contract.ts';
import { command, decision, denial, hooksOn, says } from '../support/hooks-settings.ts';
import { runWrite, seenResult } from '../support/hooks-write.ts';

contract('of several hooks one denial decides, whatever the others say', {}, async (stage) => {
  const hooks = [says(decision('allow')), says(denial('One of us says no.')), command('exit 1')];
  const settings = hooksOn('PreToolUse', [...hooks, command('exit 0')]);
  const run = await runWrite(stage, { settings });
  expect(run.written).toBe(false);
  expect(seenResult(run)?.isError).toBe(true);
});
