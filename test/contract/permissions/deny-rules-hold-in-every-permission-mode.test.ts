import { expect } from 'vitest';
import { contract } from '../../rig/client/contract.ts';
import type { Stage } from '../../rig/client/stage.ts';
import { bash, DONE, isWritten, seenCalls, writes } from '../support/hooks-write.ts';

const DENY = ['Bash(git push:*)', 'Write(./story.json)', 'Edit(./story.json)'];

async function runDenied(stage: Stage, args: string[]) {
  const run = await stage.run({
    turns: [
      bash('git push origin main'),
      bash('echo first && git push'),
      bash('sh -c "git push"'),
      writes(stage, 'story.json'),
      writes(stage, 'work.txt'),
      DONE,
    ],
    args,
    env: { IS_SANDBOX: '1' },
    settings: { permissions: { deny: DENY } },
  });
  expect(seenCalls(run).map((call) => call.result?.text)).toEqual([
    'Permission to use Bash with command git push origin main has been denied.',
    'Permission to use Bash with command echo first && git push has been denied.',
    expect.stringContaining('fatal: No configured push destination.'),
    expect.stringContaining('denied by your permission settings'),
    expect.stringContaining('created successfully'),
  ]);
  expect([isWritten(stage, 'story.json'), isWritten(stage, 'work.txt')]).toEqual([false, true]);
  return run.init?.permissionMode;
}

contract(
  'deny rules of --settings outweigh --allowedTools Bash, but do not look into a nested shell',
  {},
  async (stage) => {
    expect(await runDenied(stage, [])).toBe('acceptEdits');
  },
);

contract('deny rules of --settings hold under bypassPermissions', {}, async (stage) => {
  const args = ['--permission-mode', 'bypassPermissions'];
  expect(await runDenied(stage, args)).toBe('bypassPermissions');
});
