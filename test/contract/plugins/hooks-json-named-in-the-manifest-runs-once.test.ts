import { expect } from 'vitest';
import { contract } from '../../rig/client/contract.ts';
import { createLineLog } from '../support/hooks-log.ts';
import { hooksOn } from '../support/hooks-settings.ts';
import { runWrite } from '../support/hooks-write.ts';
import { MANIFEST, writePlugin } from '../support/plugins-folder.ts';

contract(
  'hooks/hooks.json runs once even if the manifest names it, other files beside it',
  {},
  async (stage) => {
    const log = createLineLog(stage);
    const hooks = ['./hooks/hooks.json', './hooks/more.json'];
    const plugin = writePlugin(stage, {
      '.claude-plugin/plugin.json': { ...MANIFEST, hooks },
      'hooks/hooks.json': hooksOn('PreToolUse', log.hook('standard')),
      'hooks/more.json': hooksOn('PreToolUse', log.hook('more')),
    });
    await runWrite(stage, { args: ['--plugin-dir', plugin] });
    expect(log.lines().toSorted()).toEqual(['more', 'standard']);
  },
);
