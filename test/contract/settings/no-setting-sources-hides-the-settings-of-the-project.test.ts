import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { contract } from '../../rig/client/contract.ts';
import { TOOLS } from '../../rig/client/stage.ts';

contract(
  "--setting-sources '' hides the settings of the project, from the start and later",
  {},
  async (stage) => {
    const hook = { type: 'command', command: 'touch "$CLAUDE_PROJECT_DIR/project-hook-ran"' };
    const hooks = { UserPromptSubmit: [{ hooks: [hook] }], PreToolUse: [{ hooks: [hook] }] };
    const settings = JSON.stringify({ env: { FROM_PROJECT: 'yes' }, hooks });
    stage.write('.claude/settings.json', settings);
    stage.write('.claude/settings.local.json', settings);
    stage.write('CLAUDE.md', 'Memory of the project.');
    // The client looks at the file again about two seconds after it has changed.
    const command = `echo '${settings} ' > .claude/settings.json; sleep 3; echo "project: $FROM_PROJECT"`;
    const given = JSON.stringify({ env: { FROM_ARGUMENT: 'yes' } });
    const { model } = await stage.run({
      bareArgs: ['-p', '--output-format', 'stream-json', '--verbose']
        .concat('--setting-sources', '')
        .concat('--settings', given)
        .concat('--allowedTools', 'Bash', '--tools', TOOLS),
      turns: [
        { calls: [{ tool: 'Bash', input: { command } }] },
        { calls: [{ tool: 'Bash', input: { command: 'echo "argument: $FROM_ARGUMENT"' } }] },
        { text: 'Done.' },
      ],
    });
    const last = model.requests.findLast((request) => request.kind === 'turn');
    const [first, second] = last?.conversation.calls ?? [];
    expect(first?.result?.text.trim()).toBe('project:');
    expect(second?.result?.text).toContain('argument: yes');
    expect(existsSync(join(stage.repo, 'project-hook-ran'))).toBe(false);
    // So its instructions must be handed over as well.
    expect(JSON.stringify(last?.body)).not.toContain('Memory of the project.');
  },
);
