import { expect } from 'vitest';
import { contract } from '../../rig/client/contract.ts';
import { bash, DONE, seenResult } from '../support/hooks-write.ts';
import { writePlugin } from '../support/plugins-folder.ts';

contract("a plugin's bin/ is on the PATH of the Bash tool", { since: '2.1.91' }, async (stage) => {
  const plugin = writePlugin(stage, { 'bin/saga-greets': '#!/bin/sh\necho "hello $1"\n' });
  const run = await stage.run({
    turns: [bash('saga-greets you'), DONE],
    args: ['--plugin-dir', plugin],
  });
  expect(seenResult(run)).toEqual({ text: 'hello you', isError: false });
});
