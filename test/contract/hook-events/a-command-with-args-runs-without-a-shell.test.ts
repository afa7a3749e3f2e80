import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { contract } from '../../rig/client/contract.ts';
import { command, hooksOn } from '../support/hooks-settings.ts';
import { runWrite, seenResult } from '../support/hooks-write.ts';

contract('a command with args runs without a shell', { since: '2.1.139' }, async (stage) => {
  const script = join(stage.home, 'my guard.mjs');
  writeFileSync(script, 'console.error(process.argv[2]); process.exit(2);');
  const args = [script, '$HOME; not a shell'];
  const settings = hooksOn('PreToolUse', command(process.execPath, { args }));
  const run = await runWrite(stage, { settings });
  expect(run.written).toBe(false);
  expect(seenResult(run)?.text).toMatch(/: \$HOME; not a shell\n$/);
});
