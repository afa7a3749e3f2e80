import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { contract } from '../../rig/client/contract.ts';
import { DONE } from '../support/hooks-write.ts';
import { skill, writePlugin } from '../support/plugins-folder.ts';

contract(
  '$ARGUMENTS in a shell block of a skill is code: a name may run anything',
  {},
  async (stage) => {
    const body = 'The story:\n\n!`echo "<$ARGUMENTS>"`';
    const plugin = writePlugin(stage, skill('show', body, 'allowed-tools: Bash\n'));
    const { model } = await stage.run({
      turns: [DONE],
      args: ['--plugin-dir', plugin],
      prompt: '/saga:show login"; touch injected; echo "',
    });
    const [first] = model.requests.filter((request) => request.kind === 'turn');
    expect(first?.conversation.prompt).toContain('The story:\n\n<login\n>');
    expect(existsSync(join(stage.repo, 'injected'))).toBe(true);
  },
);
