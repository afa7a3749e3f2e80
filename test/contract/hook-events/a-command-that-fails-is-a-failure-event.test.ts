import { expect } from 'vitest';
import { contract } from '../../rig/client/contract.ts';
import { createHookLog } from '../support/hooks-log.ts';
import { hooksOn } from '../support/hooks-settings.ts';
import { bash, DONE } from '../support/hooks-write.ts';

contract(
  'a Bash command that exits non-zero fires PostToolUseFailure instead of PostToolUse',
  {},
  async (stage) => {
    const log = createHookLog(stage);
    const events = ['PostToolUse', 'PostToolUseFailure'];
    const hooks = Object.assign({}, ...events.map((event) => hooksOn(event, log.hook).hooks));
    const turns = [bash('true'), bash('echo why >&2; exit 3'), DONE];
    await stage.run({ turns, settings: { hooks } });
    expect(log.payloads()).toMatchObject([
      { hook_event_name: 'PostToolUse', tool_input: { command: 'true' } },
      { hook_event_name: 'PostToolUseFailure', error: 'Exit code 3\nwhy', is_interrupt: false },
    ]);
    expect(log.payloads()[1]).not.toHaveProperty('tool_response');
  },
);
