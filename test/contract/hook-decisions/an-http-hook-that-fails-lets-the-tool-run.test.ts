import { expect } from 'vitest';
import { contract } from '../../rig/client/contract.ts';
import { ALL_RAN, runByTool } from '../support/hooks-by-tool.ts';
import { startHookServer } from '../support/hooks-server.ts';
import { denial } from '../support/hooks-settings.ts';

contract(
  'an http hook that answers 500 or no JSON, hangs or is down lets the tool run',
  { since: '2.1.63' },
  async (stage) => {
    await using fails = await startHookServer(() => ({ status: 500, body: denial('No.') }));
    await using mumbles = await startHookServer(() => ({ body: 'refused, honestly' }));
    await using hangs = await startHookServer(() => 'hangs');
    await using down = await startHookServer();
    await down.close();
    const { results } = await runByTool(stage, {
      Write: { type: 'http', url: fails.url },
      Bash: { type: 'http', url: mumbles.url },
      Read: { type: 'http', url: hangs.url, timeout: 1 },
      TaskList: { type: 'http', url: down.url },
    });
    expect(results).toEqual(ALL_RAN);
    const asked = [fails, mumbles, hangs].map(({ requests }) => requests[0]?.payload.tool_name);
    expect(asked).toEqual(['Write', 'Bash', 'Read']);
  },
);
