import { expect } from 'vitest';
import { contract } from '../../rig/client/contract.ts';
import type { Stage } from '../../rig/client/stage.ts';
import { command, hooksOn, REFUSES } from '../support/hooks-settings.ts';
import { runWrite } from '../support/hooks-write.ts';
import { skill, writePlugin } from '../support/plugins-folder.ts';

function runPlugin(stage: Stage, hooks: string | object) {
  const plugin = writePlugin(stage, { ...skill('execute', 'Do it.'), 'hooks/hooks.json': hooks });
  return runWrite(stage, { args: ['--plugin-dir', plugin] });
}

const UNKNOWN_EVENT = {
  hooks: {
    ...hooksOn('PreToolUse', REFUSES).hooks,
    ...hooksOn('NoSuchEvent', command('true')).hooks,
  },
};

contract(
  'a hooks.json that is not JSON leaves the plugin on and its hooks off',
  {},
  async (stage) => {
    const { init, written, code } = await runPlugin(stage, '{ "hooks": ');
    expect({ code, written }).toEqual({ code: 0, written: true });
    expect(init?.skills).toContain('saga:execute');
  },
);

contract('init tells it in plugin_errors', { since: '2.1.150' }, async (stage) => {
  const { init } = await runPlugin(stage, '{ "hooks": ');
  expect(init?.plugin_errors).toMatchObject([{ type: 'hook-load-failed' }]);
});

contract(
  'an unknown event in hooks.json leaves the other hooks on',
  { since: '2.1.257' },
  async (stage) => {
    expect((await runPlugin(stage, UNKNOWN_EVENT)).written).toBe(false);
  },
);

contract(
  'an unknown event in hooks.json switches all of them off',
  { until: '2.1.257' },
  async (stage) => {
    expect((await runPlugin(stage, UNKNOWN_EVENT)).written).toBe(true);
  },
);
