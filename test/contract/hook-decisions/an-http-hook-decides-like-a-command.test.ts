import { basename } from 'node:path';
import { expect } from 'vitest';
import { contract } from '../../rig/client/contract.ts';
import { type Answer, startHookServer } from '../support/hooks-server.ts';
import { denial, hooksOn } from '../support/hooks-settings.ts';
import { DONE, isWritten, seenCalls, writes } from '../support/hooks-write.ts';

const ANSWERS: Record<string, Answer> = {
  'denied.txt': { body: denial('The guard says no.') },
  'no-content.txt': { status: 204 },
  'empty-object.txt': { body: {} },
};

contract(
  'an http hook denies with the same JSON, and may have no opinion',
  { since: '2.1.63' },
  async (stage) => {
    await using server = await startHookServer(
      ({ tool_input }) => ANSWERS[basename(tool_input.file_path)] ?? 'hangs',
    );
    const files = Object.keys(ANSWERS);
    const run = await stage.run({
      turns: [...files.map((file) => writes(stage, file)), DONE],
      settings: hooksOn('PreToolUse', { type: 'http', url: server.url }),
    });
    expect(files.map((file) => isWritten(stage, file))).toEqual([false, true, true]);
    expect(seenCalls(run)[0]?.result).toEqual({
      text: expect.stringContaining('The guard says no.'),
      isError: true,
    });
  },
);
