import { expect } from 'vitest';
import { contract } from '../../rig/client/contract.ts';
import { command, hooksOn } from '../support/hooks-settings.ts';
import { MANIFEST, skill, writeFiles, writePlugin } from '../support/plugins-folder.ts';

contract(
  'plugin validate passes a good plugin and fails a manifest without a name',
  {},
  async (stage) => {
    const files = {
      ...skill('execute', 'Do it.'),
      'hooks/hooks.json': hooksOn('Stop', command('true')),
    };
    const plugin = writePlugin(stage, files);
    const good = await stage.command(['plugin', 'validate', plugin]);
    expect(good.code).toBe(0);
    expect(good.stdout).toContain('✔ Validation passed');
    writeFiles(plugin, { '.claude-plugin/plugin.json': { ...MANIFEST, name: undefined } });
    const bad = await stage.command(['plugin', 'validate', plugin]);
    expect(bad.code).toBe(1);
    expect(bad.stdout).toContain('✘ Validation failed');
    expect(bad.stdout).toContain('name: Invalid input: expected string, received undefined');
  },
);

contract(
  'plugin validate fails a hooks.json that is not JSON',
  { since: '2.1.100' },
  async (stage) => {
    const plugin = writePlugin(stage, { 'hooks/hooks.json': '{ "hooks": ' });
    const { code, stdout } = await stage.command(['plugin', 'validate', plugin]);
    expect(code).toBe(1);
    expect(stdout).toContain('✘ Validation failed');
  },
);
