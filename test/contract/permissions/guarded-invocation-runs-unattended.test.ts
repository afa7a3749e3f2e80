import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { contract } from '../../rig/client/contract.ts';
import { TOOLS } from '../../rig/client/stage.ts';
import { outcomeOf, SUCCESS } from '../support/outcome-of-run.ts';

contract(
  'the guarded invocation works through a task unattended, as root and without IS_SANDBOX too',
  {},
  async (stage) => {
    stage.writeTask('build');
    const outside = join(stage.home, 'outside');
    const run = await stage.run({
      bareArgs: ['-p', '--output-format', 'stream-json', '--verbose']
        .concat('--permission-mode', 'acceptEdits', '--allowedTools', 'Bash', '--tools', TOOLS)
        .concat('--strict-mcp-config', '--setting-sources', 'project'),
      turns: [
        { calls: [{ tool: 'TaskList', input: {} }] },
        { calls: [{ tool: 'TaskUpdate', input: { taskId: 'build', status: 'in_progress' } }] },
        { calls: [{ tool: 'Write', input: { file_path: join(stage.repo, 'a'), content: 'one' } }] },
        { calls: [{ tool: 'Write', input: { file_path: outside, content: 'one' } }] },
        { calls: [{ tool: 'Bash', input: { command: `echo two > ${outside}-by-bash` } }] },
        { calls: [{ tool: 'Bash', input: { command: 'git add a && git commit -qm "build: a"' } }] },
        { calls: [{ tool: 'TaskUpdate', input: { taskId: 'build', status: 'completed' } }] },
        { text: 'Done.' },
      ],
    });
    expect(outcomeOf(run)).toEqual(SUCCESS);
    expect(run.result?.permission_denials).toMatchObject([
      { tool_name: 'Write', tool_input: { file_path: outside } },
    ]);
    expect(existsSync(outside)).toBe(false);
    expect(existsSync(`${outside}-by-bash`)).toBe(true);
    expect(stage.readTask('build').status).toBe('completed');
    const log = execFileSync('git', ['log', '--format=%s'], { cwd: stage.repo, encoding: 'utf8' });
    expect(log).toBe('build: a\n');
  },
);
