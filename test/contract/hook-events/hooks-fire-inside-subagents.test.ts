import { expect } from 'vitest';
import { contract } from '../../rig/client/contract.ts';
import { createHookLog, nameOf } from '../support/hooks-log.ts';
import { hooksOn, REFUSES } from '../support/hooks-settings.ts';
import { calls, DONE, isWritten, writes } from '../support/hooks-write.ts';

contract(
  'PreToolUse guards the tools of a subagent too, and says whose they are',
  { since: '2.1.100' },
  async (stage) => {
    const log = createHookLog(stage);
    const agent = calls('Agent', {
      description: 'Write it',
      prompt: 'Write it.',
      subagent_type: 'general-purpose',
      run_in_background: false,
    });
    await stage.run({
      plain: true,
      turns: [agent, writes(stage, 'file.txt'), { text: 'I could not.' }, DONE],
      settings: {
        hooks: {
          PreToolUse: [
            ...(hooksOn('PreToolUse', log.hook).hooks.PreToolUse ?? []),
            { matcher: 'Write', hooks: [REFUSES] },
          ],
        },
      },
    });
    expect(log.payloads().map(nameOf)).toEqual(['PreToolUse:Agent', 'PreToolUse:Write']);
    expect(log.payloads()[0]).not.toHaveProperty('agent_id');
    expect(log.payloads()[1]).toMatchObject({
      agent_id: expect.any(String),
      agent_type: 'general-purpose',
    });
    expect(isWritten(stage, 'file.txt')).toBe(false);
  },
);
