import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { contract } from '../../rig/client/contract.ts';
import { TOOLS } from '../../rig/client/stage.ts';
import { nameOf } from '../support/hooks-log.ts';
import { startHookServer } from '../support/hooks-server.ts';
import { denial } from '../support/hooks-settings.ts';
import { outcomeOf, SUCCESS } from '../support/outcome-of-run.ts';
import { SANDBOXED } from '../support/permission-attempts.ts';

contract(
  'the reference invocation takes all its flags, and its guard sees every step in order',
  { since: '2.1.100' },
  async (stage) => {
    stage.writeTask('a');
    const story = join(stage.repo, 'story.json');
    await using guard = await startHookServer(({ hook_event_name, tool_input }) => ({
      body:
        hook_event_name === 'PreToolUse' && tool_input.file_path === story
          ? denial('Not yours.')
          : {},
    }));
    const hook = {
      type: 'http',
      url: guard.url,
      headers: { Authorization: 'Bearer $SAGA_HOOK_TOKEN' },
      allowedEnvVars: ['SAGA_HOOK_TOKEN'],
      timeout: 10,
      onFailure: 'block',
    };
    const session = randomUUID();
    const run = await stage.run({
      bareArgs: ['-p', '--output-format', 'stream-json', '--verbose']
        .concat('--permission-mode', 'bypassPermissions', '--tools', TOOLS)
        .concat('--strict-mcp-config', '--setting-sources', 'project', '--session-id', session)
        .concat('--max-budget-usd', '5', '--max-turns', '200')
        .concat('--include-hook-events', '--model', 'opus'),
      env: { ...SANDBOXED, SAGA_HOOK_TOKEN: 'token', CLAUDE_CODE_MAX_RETRIES: '4' },
      settings: {
        hooks: {
          PreToolUse: [{ matcher: '*', hooks: [hook] }],
          PostToolUse: [{ matcher: 'TaskUpdate|TaskCreate', hooks: [hook] }],
          TaskCompleted: [{ hooks: [hook] }],
          Stop: [{ hooks: [hook] }],
          SessionEnd: [{ hooks: [hook] }],
        },
        permissions: { deny: ['Bash(git push:*)'] },
        attribution: { commit: '', pr: '' },
      },
      turns: [
        { calls: [{ tool: 'TaskList', input: {} }] },
        { calls: [{ tool: 'TaskUpdate', input: { taskId: 'a', status: 'in_progress' } }] },
        { calls: [{ tool: 'Write', input: { file_path: story, content: '{}' } }] },
        { calls: [{ tool: 'Write', input: { file_path: join(stage.repo, 'a'), content: 'x' } }] },
        { calls: [{ tool: 'Bash', input: { command: 'git push origin main' } }] },
        { calls: [{ tool: 'TaskUpdate', input: { taskId: 'a', status: 'completed' } }] },
        { text: 'Done.' },
      ],
    });
    expect(outcomeOf(run)).toEqual(SUCCESS);
    expect(run.init).toMatchObject({ session_id: session, permissionMode: 'bypassPermissions' });
    expect(guard.requests.map(({ payload }) => nameOf(payload))).toEqual([
      'PreToolUse:TaskList',
      'PreToolUse:TaskUpdate',
      'PostToolUse:TaskUpdate',
      'PreToolUse:Write',
      'PreToolUse:Write',
      'PreToolUse:Bash',
      'PreToolUse:TaskUpdate',
      'TaskCompleted',
      'PostToolUse:TaskUpdate',
      'Stop',
      'SessionEnd',
    ]);
    expect(new Set(guard.requests.map(({ headers }) => headers.authorization))).toEqual(
      new Set(['Bearer token']),
    );
    const calls = run.model.requests.at(-1)?.conversation.calls ?? [];
    expect(calls.map((call) => call.result?.isError)).toEqual([
      false,
      false,
      true,
      false,
      true,
      false,
    ]);
    expect(existsSync(story)).toBe(false);
    expect(existsSync(join(stage.repo, 'a'))).toBe(true);
    expect(stage.readTask('a').status).toBe('completed');
  },
);
