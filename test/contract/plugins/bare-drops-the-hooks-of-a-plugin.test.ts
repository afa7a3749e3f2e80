import { expect } from 'vitest';
import { contract } from '../../rig/client/contract.ts';
import { hooksOn, REFUSES } from '../support/hooks-settings.ts';
import { bash, DONE, seenResult } from '../support/hooks-write.ts';
import { skill, writePlugin } from '../support/plugins-folder.ts';

contract(
  '--bare keeps the skills of a plugin and drops its hooks',
  { since: '2.1.81' },
  async (stage) => {
    const hook = hooksOn('PreToolUse', REFUSES);
    const plugin = writePlugin(stage, { ...skill('execute', 'Do it.'), 'hooks/hooks.json': hook });
    const args = ['--plugin-dir', plugin, '--bare'];
    const run = await stage.run({ turns: [bash('echo ran'), DONE], args });
    expect(seenResult(run)).toEqual({ text: 'ran', isError: false });
    expect(run.init?.skills).toContain('saga:execute');
  },
);
