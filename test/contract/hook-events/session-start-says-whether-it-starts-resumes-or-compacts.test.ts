import { expect } from 'vitest';
import { contract } from '../../rig/client/contract.ts';
import { createHookLog } from '../support/hooks-log.ts';
import { hooksOn } from '../support/hooks-settings.ts';
import { bash, DONE } from '../support/hooks-write.ts';

const SESSION = '11111111-2222-4333-8444-555555555555';

contract(
  'SessionStart tells startup, resume and compact apart',
  { since: '2.1.100' },
  async (stage) => {
    const log = createHookLog(stage);
    const events = ['SessionStart', 'PreCompact', 'PostCompact'];
    const hooks = Object.assign({}, ...events.map((event) => hooksOn(event, log.hook).hooks));
    const settings = { hooks };
    await stage.run({ turns: [bash('true'), DONE], settings, args: ['--session-id', SESSION] });
    const prompt = '/compact keep the plan';
    const args = ['--resume', SESSION];
    const { code } = await stage.run({ turns: [], settings, args, prompt });
    expect(code).toBe(0);
    expect(log.payloads()).toMatchObject([
      { hook_event_name: 'SessionStart', source: 'startup', session_id: SESSION },
      { hook_event_name: 'SessionStart', source: 'resume', session_id: SESSION },
      { hook_event_name: 'PreCompact', trigger: 'manual', custom_instructions: 'keep the plan' },
      { hook_event_name: 'SessionStart', source: 'compact' },
      { hook_event_name: 'PostCompact', trigger: 'manual' },
    ]);
  },
);
