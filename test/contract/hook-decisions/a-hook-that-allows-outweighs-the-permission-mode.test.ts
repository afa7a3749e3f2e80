import { join } from 'node:path';
import { expect } from 'vitest';
import { contract } from '../../rig/client/contract.ts';
import { decision, hooksOn, says } from '../support/hooks-settings.ts';
import { bash, DONE, isWritten, runWrite, seenCalls, writes } from '../support/hooks-write.ts';

const DONT_ASK = ['-p', '--output-format', 'stream-json', '--verbose']
  .concat(['--setting-sources', 'project', '--tools', 'Bash,Write'])
  .concat(['--permission-mode', 'dontAsk']);

contract('a PreToolUse hook that allows lets a tool run under dontAsk', {}, async (stage) => {
  const run = await stage.run({
    turns: [writes(stage, 'file.txt'), bash('npm --version'), DONE],
    bareArgs: DONT_ASK,
    settings: hooksOn('PreToolUse', says(decision('allow')), 'Write'),
  });
  expect(isWritten(stage, 'file.txt')).toBe(true);
  expect(seenCalls(run).map((call) => call.result?.isError)).toEqual([false, true]);
  expect(seenCalls(run)[1]?.result?.text).toContain('Permission to use Bash');
});

contract('a PreToolUse hook replaces the input of a tool', {}, async (stage) => {
  const updatedInput = { file_path: join(stage.repo, 'elsewhere.txt'), content: 'written' };
  const settings = hooksOn('PreToolUse', says(decision('allow', { updatedInput })));
  expect((await runWrite(stage, { settings })).written).toBe(false);
  expect(isWritten(stage, 'elsewhere.txt')).toBe(true);
});
