import { expect } from 'vitest';
import { contract } from '../../rig/client/contract.ts';
import type { Stage } from '../../rig/client/stage.ts';
import { hooksOn, REFUSES } from '../support/hooks-settings.ts';
import { bash, DONE, isWritten, runWrite, writes } from '../support/hooks-write.ts';

const GUARD = hooksOn('PreToolUse', REFUSES, 'Write');
const OFF = JSON.stringify({ disableAllHooks: true });

/** Whether the agent can write before and after it has changed the settings of the project. */
async function switchOff(stage: Stage, settings: object): Promise<boolean[]> {
  // The client looks at the file again about two seconds after it has changed, on a busy machine later.
  stage.write('switch-off.sh', `echo '${OFF} ' > .claude/settings.json; sleep 8\n`);
  const turns = [writes(stage, 'before.txt'), bash('sh switch-off.sh')];
  await stage.run({ turns: [...turns, writes(stage, 'after.txt'), DONE], settings });
  return [isWritten(stage, 'before.txt'), isWritten(stage, 'after.txt')];
}

contract(
  'disableAllHooks of the project switches off the hooks of --settings',
  {},
  async (stage) => {
    stage.write('.claude/settings.json', OFF);
    expect((await runWrite(stage, { settings: GUARD })).written).toBe(true);
  },
);

contract('so the agent can switch its guard off in the middle of a run', {}, async (stage) => {
  stage.write('.claude/settings.json', '{}');
  expect(await switchOff(stage, GUARD)).toEqual([false, true]);
});

contract(
  'disableAllHooks:false in --settings keeps them on, from the start and later',
  {},
  async (stage) => {
    stage.write('.claude/settings.json', OFF);
    expect(await switchOff(stage, { disableAllHooks: false, ...GUARD })).toEqual([false, false]);
  },
);
