import { expect } from 'vitest';
import { contract } from '../../rig/client/contract.ts';
import { ALL_RAN, runByTool } from '../support/hooks-by-tool.ts';
import { command } from '../support/hooks-settings.ts';
import { isWritten } from '../support/hooks-write.ts';

const HOOKS = {
  Write: command('echo crashed >&2; exit 1', { onFailure: 'block' }),
  Bash: command('/nonexistent/guard.sh', { onFailure: 'block' }),
  Read: command('sleep 20', { timeout: 1, onFailure: 'block' }),
  TaskList: command('echo refused, honestly', { onFailure: 'block' }),
};

contract(
  'with onFailure "block" every failure of a command denies, but not text that is no JSON',
  { since: '2.1.295' },
  async (stage) => {
    const { results } = await runByTool(stage, HOOKS);
    const because = (how: string) => ({
      text: expect.stringContaining(`${how}; blocking because onFailure is "block"`),
      isError: true,
    });
    expect(results).toEqual({
      Write: because('failed'),
      Bash: because('failed'),
      Read: because('timed out'),
      TaskList: ALL_RAN.TaskList,
    });
    expect(isWritten(stage, 'file.txt')).toBe(false);
  },
);

contract('older clients ignore onFailure', { until: '2.1.295' }, async (stage) => {
  expect((await runByTool(stage, HOOKS)).results).toEqual(ALL_RAN);
});
