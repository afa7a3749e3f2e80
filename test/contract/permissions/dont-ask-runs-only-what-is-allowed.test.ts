import { expect } from 'vitest';
import { contract } from '../../rig/client/contract.ts';
import { attemptAll } from '../support/permission-attempts.ts';

contract('dontAsk alone allows reading only', {}, async (stage) => {
  const { run, done, denied } = await attemptAll(stage, ['--permission-mode', 'dontAsk']);
  expect(run.init?.permissionMode).toBe('dontAsk');
  expect(done).toEqual(['git status']);
  expect(denied).toEqual([
    'write inside',
    'write outside',
    'redirect outside',
    'touch inside',
    'npm test',
    'node',
  ]);
});

contract('dontAsk with a scoped list allows just that', {}, async (stage) => {
  const allowed = ['Write(./**)', 'Edit(./**)', 'Bash(npm test:*)'];
  const flags = ['--permission-mode', 'dontAsk', '--allowedTools', ...allowed];
  const { done, denied } = await attemptAll(stage, flags);
  expect(done).toEqual(['write inside', 'npm test', 'git status']);
  expect(denied).toEqual(['write outside', 'redirect outside', 'touch inside', 'node']);
});
