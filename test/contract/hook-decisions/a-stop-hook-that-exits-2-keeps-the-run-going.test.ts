import { expect } from 'vitest';
import { contract } from '../../rig/client/contract.ts';
import { createHookLog } from '../support/hooks-log.ts';
import { command, hooksOn } from '../support/hooks-settings.ts';
import { DONE } from '../support/hooks-write.ts';

contract(
  'a Stop hook that exits with 2 keeps the run going with its feedback',
  {},
  async (stage) => {
    const log = createHookLog(stage);
    const flag = `${stage.home}/stopped-once`;
    const once = command(`[ -e ${flag} ] || { touch ${flag}; echo one task is left >&2; exit 2; }`);
    const settings = hooksOn('Stop', [log.hook, once]);
    const { result, model } = await stage.run({ turns: [{ text: 'Enough.' }, DONE], settings });
    expect(result?.result).toBe('Done.');
    expect(log.payloads().map((payload) => payload.stop_hook_active)).toEqual([false, true]);
    const turns = model.requests.filter((request) => request.kind === 'turn');
    expect(turns).toHaveLength(2);
    expect(turns[1]?.conversation.prompt).toMatch(/^Stop hook feedback:\n.*one task is left/s);
  },
);

contract(
  'a Stop hook that never lets go is overruled the ninth time, as a success',
  { since: '2.1.143' },
  async (stage) => {
    const settings = hooksOn('Stop', command('echo no >&2; exit 2'));
    const turns = Array(12).fill({ text: 'Enough.' });
    const { code, result, model } = await stage.run({ turns, settings });
    expect(model.requests.filter((request) => request.kind === 'turn')).toHaveLength(9);
    expect({ code, is_error: result?.is_error }).toEqual({ code: 0, is_error: false });
  },
);
