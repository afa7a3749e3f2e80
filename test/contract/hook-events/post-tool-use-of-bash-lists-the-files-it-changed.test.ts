import { execFileSync } from 'node:child_process';
import { expect } from 'vitest';
import { contract } from '../../rig/client/contract.ts';
import type { Stage } from '../../rig/client/stage.ts';
import { createHookLog } from '../support/hooks-log.ts';
import { hooksOn } from '../support/hooks-settings.ts';
import { bash, DONE } from '../support/hooks-write.ts';

/** What the hook is told about a command that changes a tracked file. */
async function seeChangedFiles(stage: Stage, args: string[], settings: object) {
  const log = createHookLog(stage);
  await stage.run({
    turns: [bash('echo more >> tracked.txt'), DONE],
    args,
    env: { IS_SANDBOX: '1' },
    settings: { ...settings, ...hooksOn('PostToolUse', log.hook) },
  });
  return log.payloads().map((payload) => payload.tool_response.bashEditDiff?.changedFiles);
}

function commitFile(stage: Stage): string {
  const file = stage.write('tracked.txt', 'one\n');
  const env = { ...process.env, HOME: stage.home };
  execFileSync('git', ['-C', stage.repo, 'add', '-A'], { env });
  execFileSync('git', ['-C', stage.repo, 'commit', '-q', '-m', 'start'], { env });
  return file;
}

contract(
  'PostToolUse of Bash lists the files it changed under bypassPermissions',
  { since: '2.1.325' },
  async (stage) => {
    const file = commitFile(stage);
    const args = ['--permission-mode', 'bypassPermissions'];
    expect(await seeChangedFiles(stage, args, {})).toEqual([[file]]);
  },
);

contract(
  'under acceptEdits it does so only with bashEditDiffEnabled',
  { since: '2.1.325' },
  async (stage) => {
    const file = commitFile(stage);
    expect(await seeChangedFiles(stage, [], {})).toEqual([undefined]);
    const settings = { bashEditDiffEnabled: true };
    expect(await seeChangedFiles(stage, [], settings)).toEqual([undefined, [file]]);
  },
);
