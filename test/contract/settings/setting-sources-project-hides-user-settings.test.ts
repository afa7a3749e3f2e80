import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { contract } from '../../rig/client/contract.ts';
import { type Stage, TOOLS } from '../../rig/client/stage.ts';

/** A person's own settings and the project's, both of which can be seen at work. */
async function runWithBoth(stage: Stage, sources: string) {
  const hook = { type: 'command', command: 'touch "$CLAUDE_PROJECT_DIR/user-hook-ran"' };
  const user = { env: { FROM_USER: 'yes' }, hooks: { UserPromptSubmit: [{ hooks: [hook] }] } };
  writeFileSync(join(stage.home, '.claude', 'settings.json'), JSON.stringify(user));
  writeFileSync(join(stage.home, '.claude', 'CLAUDE.md'), 'Memory of the user.');
  stage.write('.claude/settings.json', JSON.stringify({ env: { FROM_PROJECT: 'yes' } }));
  stage.write('CLAUDE.md', 'Memory of the project.');
  const command = 'echo "user: $FROM_USER, project: $FROM_PROJECT"';
  const { model } = await stage.run({
    // Named twice, the first counts for some versions and the last for others.
    bareArgs: ['-p', '--output-format', 'stream-json', '--verbose']
      .concat('--setting-sources', sources)
      .concat('--allowedTools', 'Bash', '--tools', TOOLS),
    turns: [{ calls: [{ tool: 'Bash', input: { command } }] }, { text: 'Done.' }],
  });
  const last = model.requests.findLast((request) => request.kind === 'turn');
  const told = JSON.stringify(last?.body);
  return {
    variables: last?.conversation.calls[0]?.result?.text,
    hook: existsSync(join(stage.repo, 'user-hook-ran')),
    userMemory: told.includes('Memory of the user.'),
    projectMemory: told.includes('Memory of the project.'),
  };
}

contract('--setting-sources project hides what the user has set up', {}, async (stage) => {
  expect(await runWithBoth(stage, 'project')).toEqual({
    variables: expect.stringContaining('user: , project: yes'),
    hook: false,
    userMemory: false,
    projectMemory: true,
  });
});

contract('without it, variables, hooks and memory of the user come along', {}, async (stage) => {
  expect(await runWithBoth(stage, 'user,project')).toEqual({
    variables: expect.stringContaining('user: yes, project: yes'),
    hook: true,
    userMemory: true,
    projectMemory: true,
  });
});
