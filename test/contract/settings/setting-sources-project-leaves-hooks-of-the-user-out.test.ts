import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { contract } from '../../rig/client/contract.ts';
import { createLineLog } from '../support/hooks-log.ts';
import { hooksOn } from '../support/hooks-settings.ts';
import { runWrite } from '../support/hooks-write.ts';

contract(
  "under --setting-sources project hooks of --settings and the project run, the user's do not",
  {},
  async (stage) => {
    const log = createLineLog(stage);
    const of = (whose: string) => JSON.stringify(hooksOn('PreToolUse', log.hook(whose)));
    writeFileSync(join(stage.home, '.claude', 'settings.json'), of('user'));
    stage.write('.claude/settings.json', of('project'));
    stage.write('.claude/settings.local.json', of('local'));
    await runWrite(stage, { settings: hooksOn('PreToolUse', log.hook('settings')) });
    expect(log.lines().toSorted()).toEqual(['project', 'settings']);
  },
);
