import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { ToolCall } from '@saga-ai/model';
import { expect } from 'vitest';
import { contract } from '../../rig/client/contract.ts';
import type { Stage } from '../../rig/client/stage.ts';
import { UNGUARDED } from '../support/permission-attempts.ts';

function write(stage: Stage, name: string): ToolCall {
  return { tool: 'Write', input: { file_path: join(stage.repo, name), content: 'x' } };
}

function isThere(stage: Stage, name: string): boolean {
  return existsSync(join(stage.repo, name));
}

contract('a deny rule Edit(path) holds for Write and for redirections too', {}, async (stage) => {
  await stage.run({
    settings: { permissions: { deny: ['Edit(./secret)'] } },
    turns: [
      { calls: [write(stage, 'secret')] },
      { calls: [{ tool: 'Bash', input: { command: 'echo x > secret' } }] },
      { calls: [write(stage, 'open')] },
      { text: 'Done.' },
    ],
  });
  expect(isThere(stage, 'secret')).toBe(false);
  expect(isThere(stage, 'open')).toBe(true);
});

contract('a deny rule Write(path) is ignored without a word', {}, async (stage) => {
  const { stderr, result } = await stage.run({
    settings: { permissions: { deny: ['Write(./secret)'] } },
    turns: [{ calls: [write(stage, 'secret')] }, { text: 'Done.' }],
  });
  expect(isThere(stage, 'secret')).toBe(true);
  expect({ stderr, denials: result?.permission_denials }).toEqual({ stderr: '', denials: [] });
});

for (const { rule, written } of [
  { rule: 'Edit(./**)', written: true },
  { rule: 'Write(./**)', written: false },
]) {
  contract(`an allow rule ${rule} lets Write through: ${written}`, {}, async (stage) => {
    await stage.run({
      bareArgs: [...UNGUARDED, '--permission-mode', 'dontAsk', '--allowedTools', rule],
      turns: [{ calls: [write(stage, 'new')] }, { text: 'Done.' }],
    });
    expect(isThere(stage, 'new')).toBe(written);
  });
}
