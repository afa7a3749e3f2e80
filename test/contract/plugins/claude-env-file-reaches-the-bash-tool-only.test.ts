import { expect } from 'vitest';
import { contract } from '../../rig/client/contract.ts';
import { createLineLog } from '../support/hooks-log.ts';
import { command, hooksOn } from '../support/hooks-settings.ts';
import { bash, DONE, seenResult } from '../support/hooks-write.ts';

contract(
  'what SessionStart exports to CLAUDE_ENV_FILE reaches the Bash tool, and no hook has file or value',
  {},
  async (stage) => {
    const log = createLineLog(stage);
    const exports = command('echo "export SAGA_FROM_FILE=exported" >> "$CLAUDE_ENV_FILE"');
    const later = ['UserPromptSubmit', 'PreToolUse', 'PostToolUse', 'Stop', 'SessionEnd'];
    const note = (event: string) =>
      hooksOn(event, log.hook(`${event} <$CLAUDE_ENV_FILE><$SAGA_FROM_FILE>`)).hooks;
    const hooks = Object.assign(hooksOn('SessionStart', exports).hooks, ...later.map(note));
    const run = await stage.run({
      turns: [bash('echo "<$SAGA_FROM_FILE>"'), DONE],
      settings: { hooks },
    });
    expect(seenResult(run)?.text).toBe('<exported>');
    expect(log.lines()).toEqual(later.map((event) => `${event} <><>`));
  },
);
