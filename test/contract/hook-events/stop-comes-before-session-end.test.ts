import { expect } from 'vitest';
import { contract } from '../../rig/client/contract.ts';
import { createHookLog, nameOf } from '../support/hooks-log.ts';
import { hooksOn } from '../support/hooks-settings.ts';
import { bash, DONE } from '../support/hooks-write.ts';

const EVENTS = ['SessionEnd', 'Stop', 'PostToolUse', 'PreToolUse', 'UserPromptSubmit'].concat([
  'SessionStart',
]);

contract('the events of a run come in order, Stop and then SessionEnd last', {}, async (stage) => {
  const log = createHookLog(stage);
  const hooks = Object.assign({}, ...EVENTS.map((event) => hooksOn(event, log.hook).hooks));
  await stage.run({ turns: [bash('true'), DONE], settings: { hooks } });
  expect(log.payloads().map(nameOf)).toEqual([
    'SessionStart',
    'UserPromptSubmit',
    'PreToolUse:Bash',
    'PostToolUse:Bash',
    'Stop',
    'SessionEnd',
  ]);
  expect(log.payloads().at(-2)).toMatchObject({ stop_hook_active: false });
  expect(log.payloads().at(-1)).toMatchObject({ reason: 'other' });
});
