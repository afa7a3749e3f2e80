import { expect } from 'vitest';
import { contract } from '../../rig/client/contract.ts';
import { ALL_RAN, runByTool } from '../support/hooks-by-tool.ts';
import { command } from '../support/hooks-settings.ts';

contract(
  'a command hook that crashes, is missing, takes too long or prints no JSON lets the tool run',
  {},
  async (stage) => {
    const { results, run } = await runByTool(stage, {
      Write: command('echo crashed >&2; exit 1'),
      Bash: command('/nonexistent/guard.sh'),
      Read: command('sleep 20', { timeout: 1 }),
      TaskList: command('echo refused, honestly'),
    });
    expect(results).toEqual(ALL_RAN);
    expect(run).toMatchObject({ code: 0, result: { is_error: false, result: 'Done.' } });
  },
);
