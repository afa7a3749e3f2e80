import { expect } from 'vitest';
import { contract } from '../../rig/client/contract.ts';
import { createLineLog } from '../support/hooks-log.ts';
import { hooksOn } from '../support/hooks-settings.ts';
import { runWrite } from '../support/hooks-write.ts';
import { skill, writePlugin } from '../support/plugins-folder.ts';

contract(
  '--plugin-dir brings hooks, skills, commands and agents without an install',
  {},
  async (stage) => {
    const log = createLineLog(stage);
    const plugin = writePlugin(stage, {
      ...skill('execute-story', 'Do it.'),
      'hooks/hooks.json': hooksOn('PreToolUse', log.hook('hook of the plugin')),
      'agents/reviewer.md': '---\nname: reviewer\ndescription: Reviews.\n---\nReview it.\n',
      'commands/hello.md': '---\ndescription: Greets.\n---\nHello.\n',
    });
    const { init } = await runWrite(stage, { args: ['--plugin-dir', plugin] });
    expect(log.lines()).toEqual(['hook of the plugin']);
    expect(init?.plugins).toContainEqual(expect.objectContaining({ name: 'saga', path: plugin }));
    expect(init?.skills).toContain('saga:execute-story');
    expect(init?.slash_commands).toEqual(
      expect.arrayContaining(['saga:execute-story', 'saga:hello']),
    );
    expect(init?.agents).toContain('saga:reviewer');
  },
);
