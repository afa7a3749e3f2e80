import { expect } from 'vitest';
import { contract } from '../../rig/client/contract.ts';
import { denial, hooksOn, says } from '../support/hooks-settings.ts';
import { bash, DONE, isWritten, runWrite, seenCalls, writes } from '../support/hooks-write.ts';

contract(
  'a PreToolUse hook denies by JSON, and the model is shown the reason',
  {},
  async (stage) => {
    const olderWay = says({ decision: 'block', reason: 'Denied the older way.' });
    const run = await stage.run({
      turns: [writes(stage, 'file.txt'), bash('echo written > by-bash.txt'), DONE],
      settings: {
        hooks: {
          PreToolUse: [
            { matcher: 'Write', hooks: [says(denial('Not in the scope of this story.'))] },
            { matcher: 'Bash', hooks: [olderWay] },
          ],
        },
      },
    });
    expect([isWritten(stage, 'file.txt'), isWritten(stage, 'by-bash.txt')]).toEqual([false, false]);
    expect(seenCalls(run).map((call) => call.result)).toEqual([
      { text: expect.stringContaining('Not in the scope of this story.'), isError: true },
      { text: expect.stringContaining('Denied the older way.'), isError: true },
    ]);
    expect(run).toMatchObject({ code: 0, result: { is_error: false, result: 'Done.' } });
  },
);

contract('a denial by a hook is in permission_denials', { since: '2.1.105' }, async (stage) => {
  const settings = hooksOn('PreToolUse', says(denial('No.')));
  const { result } = await runWrite(stage, { settings });
  expect(result?.permission_denials).toMatchObject([
    { tool_name: 'Write', tool_input: { content: 'written' } },
  ]);
});
