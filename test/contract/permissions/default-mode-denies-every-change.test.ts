import { expect } from 'vitest';
import { contract } from '../../rig/client/contract.ts';
import { attemptAll } from '../support/permission-attempts.ts';

contract('unattended, the default mode denies all but reading', {}, async (stage) => {
  const { run, done, denied } = await attemptAll(stage, ['--permission-mode', 'default']);
  expect(run.init?.permissionMode).toBe('default');
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
