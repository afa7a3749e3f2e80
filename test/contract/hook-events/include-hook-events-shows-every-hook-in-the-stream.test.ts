import { expect } from 'vitest';
import { contract } from '../../rig/client/contract.ts';
import { startHookServer } from '../support/hooks-server.ts';
import { command, hooksOn } from '../support/hooks-settings.ts';
import { runWrite } from '../support/hooks-write.ts';

contract(
  '--include-hook-events puts every hook but SessionEnd into the stream, http with its status',
  { since: '2.1.88' },
  async (stage) => {
    await using server = await startHookServer(() => ({ body: {} }));
    const hooks = {
      ...hooksOn('UserPromptSubmit', command('true')).hooks,
      ...hooksOn('PreToolUse', { type: 'http', url: server.url }).hooks,
      ...hooksOn('PostToolUse', command('echo broken >&2; exit 1')).hooks,
      ...hooksOn('Stop', command('true')).hooks,
      ...hooksOn('SessionEnd', command('true')).hooks,
    };
    const args = ['--include-hook-events'];
    const { events } = await runWrite(stage, { args, settings: { hooks } });
    const told = events.filter((it) => it.subtype === 'hook_response');
    expect(told.map((it) => [it.hook_event, it.outcome, it.exit_code])).toEqual([
      ['UserPromptSubmit', 'success', 0],
      ['PreToolUse', 'success', 200],
      ['PostToolUse', 'error', 1],
      ['Stop', 'success', 0],
    ]);
    expect(told[2]?.stderr).toBe('broken\n');
    const init = events.findIndex((it) => it.subtype === 'init');
    expect(events.findIndex((it) => it.hook_event === 'UserPromptSubmit')).toBeLessThan(init);
  },
);
