import { existsSync } from 'node:fs';
import { expect } from 'vitest';
import { contract } from '../../rig/client/contract.ts';
import { createHookLog } from '../support/hooks-log.ts';
import { hooksOn } from '../support/hooks-settings.ts';
import { runWrite } from '../support/hooks-write.ts';

contract(
  'a PreToolUse payload names session, transcript, cwd, mode, tool and input',
  {},
  async (stage) => {
    const log = createHookLog(stage);
    const run = await runWrite(stage, { settings: hooksOn('PreToolUse', log.hook) });
    const [payload] = log.payloads();
    const call = run.events.find((it) => it.type === 'assistant')?.message.content[0];
    expect(payload).toMatchObject({
      session_id: run.init?.session_id,
      cwd: stage.repo,
      permission_mode: 'acceptEdits',
      hook_event_name: 'PreToolUse',
      tool_name: 'Write',
      tool_input: call.input,
      tool_use_id: call.id,
    });
    expect(existsSync(payload?.transcript_path)).toBe(true);
  },
);
