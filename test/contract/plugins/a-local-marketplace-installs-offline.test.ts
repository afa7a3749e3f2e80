import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { contract } from '../../rig/client/contract.ts';
import { createLineLog } from '../support/hooks-log.ts';
import { hooksOn } from '../support/hooks-settings.ts';
import { runWrite } from '../support/hooks-write.ts';
import { skill, writeFiles, writePlugin } from '../support/plugins-folder.ts';

const ARGS = ['-p', '--output-format', 'stream-json', '--verbose', '--strict-mcp-config'].concat([
  '--permission-mode',
  'acceptEdits',
  '--tools',
  'Write',
]);

contract(
  'a marketplace in a folder is added and its plugin installed without network, for the user only',
  {},
  async (stage) => {
    const log = createLineLog(stage);
    const hook = hooksOn('PreToolUse', log.hook('hook of the plugin'));
    const files = { ...skill('execute-story', 'Do it.'), 'hooks/hooks.json': hook };
    const plugin = writePlugin(stage, files, 'market/plugins/saga');
    const market = join(stage.home, 'market');
    const entry = { name: 'saga', source: './plugins/saga', version: '0.1.0' };
    const manifest = { name: 'saga-local', owner: { name: 'SAGA' }, plugins: [entry] };
    writeFiles(market, { '.claude-plugin/marketplace.json': manifest });

    const added = await stage.command(['plugin', 'marketplace', 'add', market]);
    expect(added).toMatchObject({ code: 0, stdout: expect.stringContaining('saga-local') });
    const installed = await stage.command(['plugin', 'install', 'saga@saga-local']);
    expect(installed).toMatchObject({ code: 0, stdout: expect.stringContaining('scope: user') });
    const settings = readFileSync(join(stage.home, '.claude', 'settings.json'), 'utf8');
    expect(JSON.parse(settings).enabledPlugins).toEqual({ 'saga@saga-local': true });
    const copy = join(stage.home, '.claude/plugins/cache/saga-local/saga/0.1.0');
    expect(existsSync(join(copy, 'skills/execute-story/SKILL.md'))).toBe(true);

    const sources = ['--setting-sources', 'user,project'];
    const withUser = await runWrite(stage, { bareArgs: [...ARGS, ...sources] });
    expect(withUser.init?.skills).toContain('saga:execute-story');
    expect(withUser.init?.plugins.map((it: { name: string }) => it.name)).toContain('saga');
    expect([plugin, copy]).toContain(
      withUser.init?.plugins.find((it: { name: string }) => it.name === 'saga').path,
    );
    expect(log.lines()).toHaveLength(1);

    const without = await runWrite(stage, {});
    expect(without.init?.skills).not.toContain('saga:execute-story');
    expect(log.lines()).toHaveLength(1);
  },
);
