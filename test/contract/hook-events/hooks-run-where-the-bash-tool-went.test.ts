import { join } from 'node:path';
import { expect } from 'vitest';
import { contract } from '../../rig/client/contract.ts';
import { createHookLog, createLineLog } from '../support/hooks-log.ts';
import { hooksOn } from '../support/hooks-settings.ts';
import { bash, DONE } from '../support/hooks-write.ts';

contract(
  'cd in the Bash tool moves the cwd of later hooks, while CLAUDE_PROJECT_DIR stays',
  {},
  async (stage) => {
    const log = createHookLog(stage);
    const lines = createLineLog(stage);
    const where = lines.hook('$(pwd) $CLAUDE_PROJECT_DIR');
    await stage.run({
      turns: [bash('mkdir sub && cd sub'), bash('pwd'), DONE],
      settings: hooksOn('PreToolUse', [log.hook, where]),
    });
    const { repo } = stage;
    const sub = join(repo, 'sub');
    expect(lines.lines()).toEqual([`${repo} ${repo}`, `${sub} ${repo}`]);
    expect(log.payloads().map((payload) => payload.cwd)).toEqual([repo, sub]);
  },
);
