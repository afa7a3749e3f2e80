import { expect } from 'vitest';
import { contract } from '../../rig/client/contract.ts';
import { outcomeOf, SUCCESS } from '../support/outcome-of-run.ts';
import { UNGUARDED } from '../support/permission-attempts.ts';

const isRoot = process.getuid?.() === 0;

for (const bypass of [
  ['--permission-mode', 'bypassPermissions'],
  ['--dangerously-skip-permissions'],
]) {
  contract(`${bypass.join(' ')} is for others than root, unless sandboxed`, {}, async (stage) => {
    const bareArgs = [...UNGUARDED, ...bypass];
    const run = await stage.run({ bareArgs, turns: [{ text: 'Done.' }] });
    if (!isRoot) {
      expect(outcomeOf(run)).toEqual(SUCCESS);
      return;
    }
    expect({ code: run.code, stdout: run.stdout.trim() }).toEqual({ code: 1, stdout: '' });
    expect(run.stderr).toContain('cannot be used with root/sudo privileges');
    const env = { IS_SANDBOX: '1' };
    const sandboxed = await stage.run({ bareArgs, env, turns: [{ text: 'Done.' }] });
    expect(outcomeOf(sandboxed)).toEqual(SUCCESS);
  });
}
