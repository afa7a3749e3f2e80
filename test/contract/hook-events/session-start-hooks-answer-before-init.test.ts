import { expect } from 'vitest';
import { contract } from '../../rig/client/contract.ts';
import { createHookLog } from '../support/hooks-log.ts';
import { hooksOn, says } from '../support/hooks-settings.ts';
import { DONE } from '../support/hooks-write.ts';

const CONTEXT = {
  hookSpecificOutput: {
    hookEventName: 'SessionStart',
    additionalContext: 'The kite is on the roof.',
  },
};

contract(
  'a SessionStart command is in the stream before init, unasked, and its context reaches the model',
  {},
  async (stage) => {
    const log = createHookLog(stage);
    const settings = hooksOn('SessionStart', [says(CONTEXT), log.hook]);
    const { events, model } = await stage.run({ turns: [DONE], settings });
    const order = events.map((it) => (it.type === 'system' ? it.subtype : it.type));
    expect(order.slice(0, 5)).toEqual([
      'hook_started',
      'hook_started',
      'hook_response',
      'hook_response',
      'init',
    ]);
    expect(events.filter((it) => it.subtype === 'hook_response')).toMatchObject(
      Array(2).fill({ hook_event: 'SessionStart', outcome: 'success', exit_code: 0 }),
    );
    expect(log.payloads()).toMatchObject([{ hook_event_name: 'SessionStart', source: 'startup' }]);
    const [first] = model.requests.filter((request) => request.kind === 'turn');
    expect(JSON.stringify(first?.body)).toContain(
      'SessionStart hook additional context: The kite is on the roof.',
    );
  },
);
