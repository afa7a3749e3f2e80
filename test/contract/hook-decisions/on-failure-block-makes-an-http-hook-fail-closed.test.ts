import { expect } from 'vitest';
import { contract } from '../../rig/client/contract.ts';
import { runByTool } from '../support/hooks-by-tool.ts';
import { startHookServer } from '../support/hooks-server.ts';
import { isWritten } from '../support/hooks-write.ts';

contract(
  'with onFailure "block" every failure of an http hook denies',
  { since: '2.1.295' },
  async (stage) => {
    await using fails = await startHookServer(() => ({ status: 500 }));
    await using mumbles = await startHookServer(() => ({ body: 'refused, honestly' }));
    await using hangs = await startHookServer(() => 'hangs');
    await using down = await startHookServer();
    await down.close();
    const hook = { type: 'http', onFailure: 'block' };
    const { results } = await runByTool(stage, {
      Write: { ...hook, url: fails.url },
      Bash: { ...hook, url: mumbles.url },
      Read: { ...hook, url: hangs.url, timeout: 1 },
      TaskList: { ...hook, url: down.url },
    });
    const because = (how: string) => ({
      text: expect.stringContaining(`${how}; blocking because onFailure is "block"`),
      isError: true,
    });
    expect(results).toEqual({
      Write: because('failed'),
      Bash: because('failed'),
      Read: because('timed out'),
      TaskList: because('failed'),
    });
    expect(isWritten(stage, 'file.txt')).toBe(false);
  },
);
