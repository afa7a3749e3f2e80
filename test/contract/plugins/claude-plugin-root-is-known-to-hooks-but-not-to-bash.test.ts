import { join } from 'node:path';
import { expect } from 'vitest';
import { contract } from '../../rig/client/contract.ts';
import { createLineLog } from '../support/hooks-log.ts';
import { command, hooksOn } from '../support/hooks-settings.ts';
import { bash, DONE, seenCalls } from '../support/hooks-write.ts';
import { writePlugin } from '../support/plugins-folder.ts';

/** The client's own placeholder, not ours. */
const ROOT = `\${CLAUDE_PLUGIN_ROOT}`;

contract(
  'CLAUDE_PLUGIN_ROOT expands in a quoted hook command and is in its environment, not in Bash',
  {},
  async (stage) => {
    const log = createLineLog(stage);
    const note = log.hook('$1 $CLAUDE_PLUGIN_ROOT').command;
    const exports = 'echo "export SAGA_PLUGIN_ROOT=\'$CLAUDE_PLUGIN_ROOT\'" >> "$CLAUDE_ENV_FILE"';
    const plugin = writePlugin(stage, {
      'scripts/note.sh': `${note}\n`,
      'scripts/export.sh': `${exports}\n`,
      'hooks/hooks.json': {
        hooks: {
          ...hooksOn('SessionStart', command(`sh "${ROOT}/scripts/export.sh"`)).hooks,
          ...hooksOn('PreToolUse', command(`sh "${ROOT}/scripts/note.sh" "${ROOT}"`)).hooks,
        },
      },
    });
    const run = await stage.run({
      turns: [bash('echo "<$CLAUDE_PLUGIN_ROOT><$SAGA_PLUGIN_ROOT>"'), DONE],
      args: ['--plugin-dir', plugin],
    });
    expect(log.lines()).toEqual([`${plugin} ${plugin}`]);
    expect(seenCalls(run)[0]?.result?.text).toBe(`<><${plugin}>`);
  },
);

contract(
  'CLAUDE_PLUGIN_ROOT expands in the args of a hook',
  { since: '2.1.139' },
  async (stage) => {
    const log = createLineLog(stage);
    const plugin = writePlugin(stage, {
      'scripts/note.sh': `${log.hook('$1').command}\n`,
      'hooks/hooks.json': hooksOn(
        'PreToolUse',
        command('sh', { args: [`${ROOT}/scripts/note.sh`, `${ROOT}/data`] }),
      ),
    });
    await stage.run({ turns: [bash('true'), DONE], args: ['--plugin-dir', plugin] });
    expect(log.lines()).toEqual([join(plugin, 'data')]);
  },
);
