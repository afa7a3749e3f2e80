import { expect } from 'vitest';
import { contract } from '../../rig/client/contract.ts';
import { calls, DONE, seenCalls } from '../support/hooks-write.ts';
import { skill, writePlugin } from '../support/plugins-folder.ts';

contract(
  'disable-model-invocation refuses the Skill tool, not the slash command',
  {},
  async (stage) => {
    const plugin = writePlugin(stage, {
      ...skill('start', 'Starting $ARGUMENTS.', 'disable-model-invocation: true\n'),
      ...skill('status', 'Status of $ARGUMENTS.'),
    });
    const run = await stage.run({
      plain: true,
      args: ['--plugin-dir', plugin],
      prompt: '/saga:start login',
      turns: [
        calls('Skill', { skill: 'saga:start', args: 'logout' }),
        calls('Skill', { skill: 'saga:status', args: 'logout' }),
        DONE,
      ],
    });
    expect(seenCalls(run).map((call) => call.result)).toEqual([
      {
        text: expect.stringContaining(
          'Skill saga:start cannot be used with Skill tool due to disable-model-invocation',
        ),
        isError: true,
      },
      { text: 'Launching skill: saga:status', isError: false },
    ]);
    const last = run.model.requests.filter((request) => request.kind === 'turn').at(-1);
    const told = JSON.stringify(last?.body);
    expect(told).toContain('Starting login.');
    expect(told).toContain('Status of logout.');
    expect(told).not.toContain('Starting logout.');
  },
);
