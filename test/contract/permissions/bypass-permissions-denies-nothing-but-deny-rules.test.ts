import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { contract } from '../../rig/client/contract.ts';
import { attemptAll, SANDBOXED, UNGUARDED } from '../support/permission-attempts.ts';

const BYPASS = ['--permission-mode', 'bypassPermissions'];

contract('bypassPermissions denies nothing by itself', {}, async (stage) => {
  const { run, done, denied } = await attemptAll(stage, BYPASS, SANDBOXED);
  expect(run.init?.permissionMode).toBe('bypassPermissions');
  expect(done).toEqual([
    'write inside',
    'write outside',
    'redirect outside',
    'touch inside',
    'npm test',
    'node',
    'git status',
  ]);
  expect(denied).toEqual([]);
});

contract('deny rules hold under bypassPermissions', {}, async (stage) => {
  const { result, model } = await stage.run({
    bareArgs: [...UNGUARDED, ...BYPASS],
    env: SANDBOXED,
    settings: { permissions: { deny: ['Bash(git push:*)', 'Edit(./secret)'] } },
    turns: [
      { calls: [{ tool: 'Bash', input: { command: 'git push origin main' } }] },
      {
        calls: [{ tool: 'Write', input: { file_path: join(stage.repo, 'secret'), content: 'x' } }],
      },
      { text: 'Done.' },
    ],
  });
  expect(model.requests.at(-1)?.conversation.calls).toMatchObject([
    { tool: 'Bash', result: { isError: true } },
    { tool: 'Write', result: { isError: true } },
  ]);
  expect(existsSync(join(stage.repo, 'secret'))).toBe(false);
  expect(result?.permission_denials).toContainEqual(
    expect.objectContaining({ tool_name: 'Bash', tool_input: { command: 'git push origin main' } }),
  );
});
